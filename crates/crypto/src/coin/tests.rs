use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::codec::Malformed;

const SEATS: [Seat; 3] = [Seat(0), Seat(2), Seat(5)];

fn toss() -> Toss {
    Toss { purpose: "test", table: TableId([1; 32]), deal: 3, subject: [4; 32], seats: SeatSet::new(&SEATS).unwrap() }
}

/// A table of three whose commitments are in, with what each of them keeps.
fn committed(toss: Toss, seed: u64) -> (AwaitingReveals, Vec<Contribution>) {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut table = AwaitingCommitments::new(toss).unwrap();
    let mut kept = Vec::new();
    for seat in SEATS {
        let (contribution, commitment) = toss.contribute(seat, &mut rng);
        table.accept(seat, commitment).unwrap();
        kept.push(contribution);
    }
    (table.all_in().unwrap(), kept)
}

fn coin(toss: Toss, seed: u64) -> Coin {
    let (mut table, kept) = committed(toss, seed);
    for contribution in kept {
        let (seat, reveal) = (contribution.seat, contribution.reveal(&table).unwrap());
        table.accept(seat, &reveal).unwrap();
    }
    table.all_in().unwrap()
}

#[test]
fn all_seats_together_make_a_coin_and_the_order_of_speaking_does_not_matter() {
    let forwards = coin(toss(), 1);
    let (mut table, mut kept) = committed(toss(), 1);
    kept.reverse();
    for contribution in kept {
        let (seat, reveal) = (contribution.seat, contribution.reveal(&table).unwrap());
        let reveal = Reveal::from_bytes(&reveal.to_bytes(), &()).unwrap();
        table.accept(seat, &reveal).unwrap();
    }
    let backwards = table.all_in().unwrap();
    assert_eq!(forwards, backwards);
    assert_eq!(forwards.toss(), &toss());
}

#[test]
fn every_part_of_the_toss_and_every_contribution_counts() {
    let base = coin(toss(), 1);
    let others = [
        Toss { purpose: "tes", ..toss() },
        Toss { table: TableId([2; 32]), ..toss() },
        Toss { deal: 4, ..toss() },
        Toss { subject: [5; 32], ..toss() },
    ];
    assert!(others.into_iter().all(|other| coin(other, 1).digest != base.digest));
    assert_ne!(coin(toss(), 2).digest, base.digest);
}

#[test]
fn a_toss_needs_two_different_seats_or_more() {
    let among = |seats: &[Seat]| Toss { seats: SeatSet::new(seats).unwrap(), ..toss() };
    let begin = |seats: &[Seat]| AwaitingCommitments::new(among(seats)).unwrap_err();
    assert_eq!(begin(&[]), CoinRefused::Count(0));
    assert_eq!(begin(&[Seat(1)]), CoinRefused::Count(1));
    assert_eq!(SeatSet::new(&[Seat(1), Seat(255), Seat(1)]), Err(Seat(1)));
    assert!(SeatSet::new(&[Seat(9), Seat(255), Seat(0)]).unwrap().iter().eq([Seat(0), Seat(9), Seat(255)]));
    let crowd: Vec<Seat> = (0..=MAX_SEATS as u8).map(Seat).collect();
    assert_eq!(begin(&crowd), CoinRefused::Count(MAX_SEATS + 1));
}

#[test]
fn strangers_and_second_messages_are_refused_and_the_silent_are_named() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let mut table = AwaitingCommitments::new(toss()).unwrap();
    let (first, commitment) = toss().contribute(SEATS[0], &mut rng);
    assert_eq!(table.accept(Seat(1), commitment), Err(CoinRefused::UnknownSeat(Seat(1))));
    table.accept(SEATS[0], commitment).unwrap();
    let (_, second_thoughts) = toss().contribute(SEATS[0], &mut rng);
    assert_eq!(table.accept(SEATS[0], second_thoughts), Err(CoinRefused::Twice(SEATS[0])));
    assert_eq!(table.missing(), SEATS[1..]);
    let mut table = table.all_in().unwrap_err();
    for seat in &SEATS[1..] {
        table.accept(*seat, toss().contribute(*seat, &mut rng).1).unwrap();
    }
    let mut table = table.all_in().unwrap();
    let reveal = first.reveal(&table).unwrap();
    assert_eq!(table.accept(Seat(1), &reveal), Err(CoinRefused::UnknownSeat(Seat(1))));
    table.accept(SEATS[0], &reveal).unwrap();
    assert_eq!(table.accept(SEATS[0], &reveal), Err(CoinRefused::Twice(SEATS[0])));
    assert_eq!(table.missing(), SEATS[1..]);
    assert_eq!(table.all_in().unwrap_err().missing(), SEATS[1..]);
}

/// S-10: seat 5 echoes the commitment of seat 0, waits for its reveal and echoes that too.
#[test]
fn a_copied_commitment_opens_for_nobody_else() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let mut table = AwaitingCommitments::new(toss()).unwrap();
    let (honest, commitment) = toss().contribute(SEATS[0], &mut rng);
    table.accept(SEATS[2], commitment).unwrap();
    table.accept(SEATS[0], commitment).unwrap();
    table.accept(SEATS[1], toss().contribute(SEATS[1], &mut rng).1).unwrap();
    let mut table = table.all_in().unwrap();
    let reveal = honest.reveal(&table).unwrap();
    table.accept(SEATS[0], &reveal).unwrap();
    assert_eq!(table.accept(SEATS[2], &reveal), Err(CoinRefused::FalseOpening(SEATS[2])));
    assert_eq!(table.missing(), SEATS[1..]);
}

/// S-14: the last to reveal knows what all others said. Whatever it says instead of what it committed to is refused
/// under its name, and what is left to it is the one outcome, or silence.
#[test]
fn the_last_to_reveal_cannot_choose() {
    let (mut table, mut kept) = committed(toss(), 5);
    let last = kept.pop().unwrap();
    for contribution in kept {
        let (seat, reveal) = (contribution.seat, contribution.reveal(&table).unwrap());
        table.accept(seat, &reveal).unwrap();
    }
    let (seat, honest) = (last.seat, last.reveal(&table).unwrap());
    let bytes = honest.to_bytes();
    for bit in 0..8 * bytes.len() {
        let mut other = bytes.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        let other = Reveal::from_bytes(&other, &()).unwrap();
        assert_eq!(table.accept(seat, &other), Err(CoinRefused::FalseOpening(seat)));
    }
    assert_eq!(table.missing(), [seat]);
    table.accept(seat, &honest).unwrap();
    assert_eq!(table.all_in().unwrap(), coin(toss(), 5));
}

#[test]
fn a_contribution_to_one_toss_does_not_open_in_another() {
    let other = Toss { subject: [9; 32], ..toss() };
    let (_, kept) = committed(toss(), 6);
    let (elsewhere, _) = committed(other, 7);
    for contribution in kept {
        assert_eq!(contribution.reveal(&elsewhere), Err(CoinRefused::OtherToss));
    }
    // The same commitment bytes, carried over into a toss about something else.
    let mut rng = ChaCha20Rng::seed_from_u64(8);
    let mut table = AwaitingCommitments::new(other).unwrap();
    let mut kept = Vec::new();
    for seat in SEATS {
        let (contribution, commitment) = toss().contribute(seat, &mut rng);
        table.accept(seat, commitment).unwrap();
        kept.push(contribution);
    }
    let mut table = table.all_in().unwrap();
    for contribution in kept {
        let (seat, reveal) = (contribution.seat, Reveal { value: contribution.value, opening: contribution.opening });
        assert_eq!(table.accept(seat, &reveal), Err(CoinRefused::FalseOpening(seat)));
        assert_eq!(contribution.reveal(&table), Err(CoinRefused::OtherToss));
    }
}

#[test]
fn bits_and_scalars_are_balanced_and_unrelated() {
    let coin = coin(toss(), 9);
    let bits = coin.bits(20_000);
    let ones = bits.iter().filter(|bit| **bit).count();
    // Six standard deviations of a fair coin.
    assert!((10_000 - 425..10_000 + 425).contains(&ones), "{ones} ones");
    assert_eq!(coin.bits(13), bits[..13]);
    assert!(coin.bits(0).is_empty());
    let scalars = coin.scalars(3);
    assert!(scalars[0] != scalars[1] && scalars[1] != scalars[2]);
    assert_eq!(coin.scalars(2), scalars[..2]);
}

#[test]
fn reveals_have_one_length_and_contributions_are_mute() {
    for length in [0, 31, 63] {
        let error = Reveal::from_bytes(&vec![1; length], &()).unwrap_err();
        assert!(matches!(error.fault, Malformed::Truncated(_)));
    }
    assert_eq!(Reveal::from_bytes(&[1; 65], &()).unwrap_err().fault, Malformed::Trailing(1));
    let (contribution, _) = toss().contribute(Seat(1), &mut ChaCha20Rng::seed_from_u64(1));
    assert_eq!(format!("{contribution:?}"), "Contribution { seat: Seat(1), .. }");
}

/// Who takes part is under the commitment: values revealed to some are no use to a seat that joins them afterwards, and
/// would choose its own part by what it saw.
#[test]
fn a_reveal_made_for_fewer_seats_serves_no_larger_toss() {
    let (mut rng, two) = (ChaCha20Rng::seed_from_u64(1), [Seat(1), Seat(2)]);
    let small = Toss { seats: SeatSet::new(&two).unwrap(), ..toss() };
    let large = Toss { seats: SeatSet::new(&[Seat(1), Seat(2), Seat(3)]).unwrap(), ..toss() };
    let mut table = AwaitingCommitments::new(small).unwrap();
    let parts: Vec<_> = two.iter().map(|seat| small.contribute(*seat, &mut rng)).collect();
    two.iter().zip(&parts).for_each(|(seat, (_, commitment))| table.accept(*seat, *commitment).unwrap());
    let table = table.all_in().unwrap();

    let mut joined = AwaitingCommitments::new(large).unwrap();
    let (_, late) = large.contribute(Seat(3), &mut rng);
    joined.accept(Seat(3), late).unwrap();
    two.iter().zip(&parts).for_each(|(seat, (_, commitment))| joined.accept(*seat, *commitment).unwrap());
    let mut joined = joined.all_in().unwrap();
    for (contribution, _) in parts {
        let (seat, reveal) = (contribution.seat, contribution.reveal(&table).unwrap());
        assert_eq!(joined.accept(seat, &reveal), Err(CoinRefused::FalseOpening(seat)));
    }
}

/// The known answer of spec/70-commitments.md.
#[test]
fn known_answer() {
    let seats = SeatSet::new(&[Seat(0), Seat(1)]).unwrap();
    let toss = Toss { purpose: "test", table: TableId([1; 32]), deal: 2, subject: [6; 32], seats };
    let mut table = AwaitingCommitments::new(toss).unwrap();
    let mut reveals = Vec::new();
    let mut commitments = Vec::new();
    for seat in [Seat(0), Seat(1)] {
        let value = [10 + seat.0; 32];
        let opening = Opening::from_bytes(&[20 + seat.0; 32], &()).unwrap();
        let commitment = Commitment::with_opening(COMMITMENT, &toss.place(seat), &toss.committed(&value), &opening);
        table.accept(seat, commitment).unwrap();
        commitments.push(hex(&commitment.to_bytes()));
        reveals.push((seat, Reveal { value, opening }));
    }
    let mut table = table.all_in().unwrap();
    reveals.iter().for_each(|(seat, reveal)| table.accept(*seat, reveal).unwrap());
    let coin = table.all_in().unwrap();
    let page = include_str!("../../../../spec/70-commitments.md");
    let bits: String = coin.bits(16).iter().map(|b| if *b { '1' } else { '0' }).collect();
    let scalar = hex(&coin.scalars(1)[0].to_bytes());
    for answer in [&commitments[0], &commitments[1], &hex(&coin.to_bytes()), &bits, &scalar] {
        assert!(page.contains(&format!("`{answer}`")), "{answer}");
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
