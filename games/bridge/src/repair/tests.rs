use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::board::Board;
use crate::dd::Tricks;

fn deal(seed: u64) -> Deal {
    Deal::random(&mut ChaCha20Rng::seed_from_u64(seed))
}

fn hands(deal: &Deal) -> [Hand; 4] {
    Seat::ALL.map(|s| deal.hand(s))
}

#[test]
fn every_kind_of_error_is_named() {
    let record = deal(1);
    assert_eq!(diagnose(&record, &hands(&record)), Finding::Right);
    let mut moved = hands(&record);
    moved.rotate_right(1);
    assert_eq!(diagnose(&record, &moved), Finding::HandsMoved([Seat::East, Seat::South, Seat::West, Seat::North]),);
    for to in permutations().skip(1) {
        let suits = to.map(|i| Suit::ALL[i]);
        if suits != Suit::ALL {
            assert_eq!(diagnose(&record, &hands(&record.with_suits(suits).unwrap())), Finding::SuitsRenamed(suits));
        }
    }
    let ace = Card::parse("SA").unwrap();
    let other = Card::all().find(|c| record.owner(*c) != record.owner(ace)).unwrap();
    let Finding::Cards(wrong) = diagnose(&record, &hands(&record.with_exchanged(ace, other))) else { panic!() };
    assert_eq!(wrong.len(), 2);
    assert_eq!(wrong[0], Wrong { card: ace, is: record.owner(other), belongs: record.owner(ace) });
    assert!(matches!(diagnose(&record, &hands(&deal(2))), Finding::Different(_)));
    let mut short = hands(&record);
    let lost: Card = short[0].cards().next().unwrap();
    short[0] = short[0].cards().skip(1).collect();
    let faults = vec![Fault::Count(Seat::North, 12), Fault::Missing(lost)];
    assert_eq!(diagnose(&record, &short), Finding::Counts(faults));
}

#[test]
fn renamed_suits_keep_their_results() {
    let mut record = Record::new(Board::new(3).unwrap(), deal(3));
    record.tricks = Tricks::parse_pbn("59589595896485464854");
    let to = [Suit::Clubs, Suit::Spades, Suit::Diamonds, Suit::Hearts];
    let renamed = rename_suits(&record, to).unwrap();
    assert_eq!(renamed.deal.hand(Seat::East).holding(Suit::Clubs), record.deal.hand(Seat::East).holding(Suit::Spades));
    // No results are lost, they only change their columns: NT S H D C of North were 5 9 5 8 9.
    assert_eq!(&renamed.tricks.unwrap().pbn()[..5], "55989");
    assert_eq!(rename_suits(&record, [Suit::Clubs; 4]), None);
}

#[test]
fn records_are_amended_or_declared_invalid() {
    let mut list = vec![Record::new(Board::new(1).unwrap(), deal(4)), Record::new(Board::new(2).unwrap(), deal(5))];
    list[0].tricks = Tricks::parse_pbn("59589595896485464854");
    let amended = amend(&list[0], deal(6));
    assert_eq!((amended.deal, amended.tricks), (deal(6), None));
    assert_eq!(invalidate(&mut list, &[2, 9]), [9]);
    assert_eq!([list[0].invalid, list[1].invalid], [false, true]);
}
