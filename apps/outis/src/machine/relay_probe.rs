//! Checks whether a relay is reachable, by opening a connection as its players do, and sending nothing.

use std::io::ErrorKind;
use std::net::IpAddr;
use std::time::Duration;

use outis_node::calling::{RelayFound, is_private};
use outis_node::invite::{Address, Relay};
use outis_node::settings::Network;
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;

/// How long a relay may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);
/// Places that one name may stand for.
const PLACES: usize = 2;

/// The relay of an address, if a person with these settings may use it. With direct connections only, or with a single
/// permitted relay, the program does not even probe a relay that someone else names: its operator would learn the
/// person's address.
pub fn allowed(network: Option<&Network>, address: &Address) -> Option<Relay> {
    address.clone().usable().relay.filter(|relay| network.is_some_and(|network| network.may_use(relay)))
}

/// Reports what is at the relay's address.
pub async fn look(relay: &Relay) -> RelayFound {
    let Ok(url) = relay.url.parse::<iroh::RelayUrl>() else { return RelayFound::NoName };
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else { return RelayFound::NoName };
    let host = host.trim_matches(['[', ']']).trim_end_matches('.');
    let Ok(Ok(places)) = timeout(PATIENCE, lookup_host((host, port))).await else { return RelayFound::NoName };
    // A relay at home is named by its address: a name that leads there was made to make us look around.
    let is_name = host.parse::<IpAddr>().is_err();
    let places = places.filter(|place| !(is_name && is_private(place.ip()))).take(PLACES);
    let look = async {
        let mut found = RelayFound::NoName;
        for place in places {
            found = match TcpStream::connect(place).await {
                Ok(_) => return RelayFound::Open,
                Err(error) if error.kind() == ErrorKind::ConnectionRefused => RelayFound::Closed,
                Err(_) => RelayFound::Silent,
            };
        }
        found
    };
    timeout(PATIENCE, look).await.unwrap_or(RelayFound::Silent)
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn a_relay_that_is_not_allowed_is_not_looked_at() {
        let address = Address { direct: Vec::new(), relay: Some(Relay::plain("http://192.0.2.9")) };
        let only = Network::Relay { relay: "https://relay.example".to_owned(), only: true };
        assert_eq!(allowed(Some(&Network::Direct { local: true }), &address), None);
        assert_eq!(allowed(Some(&only), &address), None);
        assert_eq!(allowed(None, &address), None);
        assert!(allowed(Some(&Network::default()), &address).is_some(), "this test can fail");
    }

    #[tokio::test]
    async fn a_relay_is_there_or_not() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        assert_eq!(look(&Relay::plain(&*url)).await, RelayFound::Open);
        // A name that leads home is not followed.
        let named = format!("http://localhost:{}", listener.local_addr().unwrap().port());
        assert_eq!(look(&Relay::plain(&*named)).await, RelayFound::NoName);
        drop(listener);
        assert_eq!(look(&Relay::plain(&*url)).await, RelayFound::Closed);
        assert_eq!(look(&Relay::plain("https://")).await, RelayFound::NoName);
    }
}
