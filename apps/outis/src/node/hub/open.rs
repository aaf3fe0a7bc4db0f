//! The tables that are open here, as the node knows them: what is kept about each, and what lists show of it. The tables themselves are in
//! [`TablePool`](crate::machine::tables::TablePool), and tell.

use outis_node::table::{Glance, Outcome};
use outis_table::TableId;

use super::{Answer, Node, sorry};
use crate::machine::tables::lock;
use crate::node::table_info::{Kind, TableInfo};

/// A table that is open here.
pub(in crate::node) struct OpenTable {
    /// What is kept about it.
    pub about: TableInfo,
    /// Its name in its log.
    pub log: TableId,
    /// What it told last.
    pub glance: Glance,
    /// The result, while a question is open that changes nothing.
    pub decided: Option<Outcome>,
    /// Whether the person is about to leave it.
    pub leaving: bool,
}

impl OpenTable {
    /// It has told nothing yet.
    pub fn new(about: TableInfo, log: TableId) -> Self {
        Self { about, log, glance: Glance::default(), decided: None, leaving: false }
    }

    /// It is over: what is kept about it, and whether the person leaves it.
    pub fn end(&mut self, outcome: Outcome) -> (TableInfo, bool) {
        self.about.end(outcome);
        self.decided = None;
        (self.about.clone(), self.leaving)
    }

    /// Whether somebody sits elsewhere.
    pub fn has_peers(&self) -> bool {
        self.about.seats.iter().any(|chair| chair.kind == Kind::Peer)
    }
}

impl Node {
    /// Looks at what is known of a table, or changes it. Nothing else is to be locked inside but what is to be written.
    pub(in crate::node) fn open_table<T>(&self, id: &str, with: impl FnOnce(&mut OpenTable) -> T) -> Option<T> {
        lock(&self.0.open).get_mut(id).map(with)
    }

    /// Something of each open table.
    pub(in crate::node) fn open_tables<T>(&self, of: impl FnMut(&OpenTable) -> Option<T>) -> Vec<T> {
        lock(&self.0.open).values().filter_map(of).collect()
    }

    /// What is kept about a table that is open.
    pub(in crate::node) fn about(&self, id: &str) -> Answer<TableInfo> {
        self.open_table(id, |open| open.about.clone()).ok_or_else(|| sorry("table"))
    }

    /// Whether everybody at a table sits at this machine.
    pub fn is_local(&self, id: &str) -> bool {
        self.open_table(id, |open| !open.has_peers()) == Some(true)
    }

    /// The table with this name in its log.
    pub(in crate::node) fn find(&self, log: TableId) -> Option<String> {
        lock(&self.0.open).values().find(|open| open.log == log).map(|open| open.about.id.clone())
    }

    /// Lets go of a table.
    pub(in crate::node) fn close_table(&self, id: &str) {
        lock(&self.0.open).remove(id);
        self.0.tables.close(id);
    }
}
