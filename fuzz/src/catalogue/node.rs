//! What invites and addresses hold.

use outis_crypto::codec::Encode;
use outis_node::invite::{Address, Invite, Relay};
use outis_node::names::Key;

use super::{Decoder, Sizes, both};

fn address(discovery: u16, pin: Option<[u8; 32]>) -> Address {
    let direct = vec!["192.0.2.7:4433".parse().expect("an address"), "[2001:db8::1]:9".parse().expect("an address")];
    Address { direct, relay: Some(Relay { discovery, pin, ..Relay::plain("https://relay.example") }) }
}

fn invite(address: Address) -> Vec<u8> {
    Encode::to_bytes(&Invite { until: 1, host: Key([2; 32]), secret: [3; 16], promise: [4; 32], address })
}

decoders! {
    "address": Address, _ => &(), _ => address(0, None).to_bytes(), 0, 0;
    "address with a pin": Address, _ => &(), _ => address(7842, Some([5; 32])).to_bytes(), 0, 0;
    "invite": Invite, _ => &(), _ => invite(address(0, None)), 0, 0;
    "invite with a port": Invite, _ => &(), _ => invite(address(7842, None)), 0, 0;
}
