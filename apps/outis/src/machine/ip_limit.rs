//! Limits how many connections one place may have at once: an IPv4 address or an IPv6 network.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex};

use outis_node::links::place_of;

use crate::machine::tables::lock;

/// Stands for all places that nobody knows; no packet comes from it.
pub const UNKNOWN: IpAddr = IpAddr::V6(Ipv6Addr::UNSPECIFIED);

/// The number of connections from each place.
#[derive(Default)]
pub struct IpLimit(Mutex<BTreeMap<IpAddr, usize>>);

/// One counted connection; dropping it gives its slot back.
pub struct Slot(Arc<IpLimit>, Option<IpAddr>);

impl IpLimit {
    /// Counts one more connection from an address, if its place has fewer than `most`. `None` is not
    /// counted.
    pub fn enter(self: &Arc<Self>, address: Option<IpAddr>, most: usize) -> Option<Slot> {
        let place = address.map(place_of);
        if let Some(place) = place {
            let mut places = lock(&self.0);
            let count = places.get(&place).copied().unwrap_or(0);
            if count >= most {
                return None;
            }
            places.insert(place, count + 1);
        }
        Some(Slot(self.clone(), place))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let Some(place) = self.1 else { return };
        let mut places = lock(&self.0.0);
        if let Some(count) = places.get_mut(&place) {
            *count -= 1;
            if *count == 0 {
                places.remove(&place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_room_for_so_many_and_gives_it_back() {
        let places = Arc::new(IpLimit::default());
        let enter = |text: &str| places.enter(Some(text.parse().unwrap()), 2);
        let (one, two) = (enter("192.0.2.7").unwrap(), enter("::ffff:192.0.2.7").unwrap());
        assert!(enter("192.0.2.7").is_none(), "the same address in another dress");
        assert!(enter("192.0.2.8").is_some());
        drop(one);
        let three = enter("192.0.2.7").unwrap();
        drop((two, three));
        assert!(lock(&places.0).is_empty());
    }

    #[test]
    fn a_network_of_version_6_is_one_place() {
        let places = Arc::new(IpLimit::default());
        let enter = |text: &str| places.enter(Some(text.parse().unwrap()), 2);
        let here = [enter("2001:db8:1:2::1"), enter("2001:db8:1:2:ffff::9")];
        assert!(here.iter().all(Option::is_some) && enter("2001:db8:1:2:3:4:5:6").is_none());
        assert!(enter("2001:db8:1:3::1").is_some());
        assert!((0..99).map(|_| places.enter(None, 2)).collect::<Option<Vec<_>>>().is_some(), "not counted");
    }
}
