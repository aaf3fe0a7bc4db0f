//! Messages to and through a lobby.

use outis_crypto::codec::Encode;
use outis_meeting::archive::{Consent, GameVerdict, Shelved};
use outis_meeting::notice::{Notice, SeatClaim};
use outis_meeting::parcel::Parcel;
use outis_meeting::wire::{Answer, Mail, Request};

use super::{Decoder, Sizes, both};
use crate::meeting;

decoders! {
    "notice": Notice, _ => &(), _ => meeting::notice().to_bytes(), 0, 0;
    "seat claim": SeatClaim, _ => &(), _ => meeting::claim().to_bytes(), 0, 0;
    "consent": Consent, _ => &(), _ => meeting::consent().to_bytes(), 0, 0;
    "game verdict": GameVerdict, _ => &(), _ => meeting::verdict().to_bytes(), 0, 0;
    "shelved": Shelved, _ => &(), _ => meeting::shelved().to_bytes(), 0, 0;
    "parcel": Parcel, _ => &(), _ => meeting::parcel().to_bytes(), 0, 0;
    "mail": Mail, _ => &(), _ => meeting::mail().to_bytes(), 0, 0;
    "hello": Request, _ => &(), _ => meeting::request(0), 0, 0;
    "post": Request, _ => &(), _ => meeting::request(1), 0, 0;
    "consents": Request, _ => &(), _ => meeting::request(2), 0, 0;
    "found": Request, _ => &(), _ => meeting::request(3), 0, 0;
    "look": Request, _ => &(), _ => meeting::request(4), 0, 0;
    "board": Answer, _ => &(), _ => meeting::answer(0), 0, 0;
    "mailbox": Answer, _ => &(), _ => meeting::answer(1), 0, 0;
    "shelf": Answer, _ => &(), _ => meeting::answer(2), 0, 0;
    "people": Answer, _ => &(), _ => meeting::answer(3), 0, 0;
}
