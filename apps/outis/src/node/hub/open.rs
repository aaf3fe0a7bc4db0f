//! The tables of this node, as [`Tables`](outis_node::tables::Tables) knows them: what is kept about each, and what lists show of it.

use outis_node::tables::OpenTable;
use outis_table::TableId;

use super::{Answer, Node, sorry};
use crate::machine::tables::lock;
use crate::node::table_info::TableInfo;

impl Node {
    /// Looks at what is known of an open table, or changes it. Nothing else is to be locked inside but what is to be written.
    pub(in crate::node) fn open_table<T>(&self, id: &str, with: impl FnOnce(&mut OpenTable) -> T) -> Option<T> {
        lock(&self.0.core).tables.get_mut(id).map(with)
    }

    /// Something of each open table.
    pub(in crate::node) fn open_tables<T>(&self, of: impl FnMut(&OpenTable) -> Option<T>) -> Vec<T> {
        lock(&self.0.core).tables.iter().filter_map(of).collect()
    }

    /// What is kept about a table that is open.
    pub(in crate::node) fn about(&self, id: &str) -> Answer<TableInfo> {
        self.open_table(id, |open| open.about.clone()).ok_or_else(|| sorry("table"))
    }

    /// What is kept about a table, open or past.
    pub(super) fn any_about(&self, id: &str) -> Answer<TableInfo> {
        lock(&self.0.core).tables.about(id).cloned().ok_or_else(|| sorry("table"))
    }

    /// Whether everybody at a table sits at this machine.
    pub fn is_local(&self, id: &str) -> bool {
        self.open_table(id, |open| !open.has_peers()) == Some(true)
    }

    /// The table with this name in its log.
    pub(in crate::node) fn find(&self, log: TableId) -> Option<String> {
        lock(&self.0.core).tables.find(log).map(|open| open.about.id.clone())
    }

    /// Lets go of a table.
    pub(in crate::node) fn close_table(&self, id: &str) {
        lock(&self.0.core).tables.close(id);
        self.0.tables.close(id);
    }
}
