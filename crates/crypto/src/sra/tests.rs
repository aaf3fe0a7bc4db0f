use super::*;
use crate::context::{Context, Head};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

const TABLE: TableId = TableId([3; 32]);

struct Fixture {
    commitments: CommitmentKey,
    deck: Deck,
    secrets: Vec<SeatSecret>,
    rng: ChaCha20Rng,
    round: u8,
    deal: u32,
}

impl Fixture {
    /// Everyone has put a layer on.
    fn new(seats: u8, cards: usize, deal: u32, seed: u64) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let secrets: Vec<SeatSecret> = (0..seats).map(|_| SeatSecret::random(&mut rng)).collect();
        Self::with(secrets, cards, deal, rng)
    }

    fn with(secrets: Vec<SeatSecret>, cards: usize, deal: u32, rng: ChaCha20Rng) -> Self {
        let deck = Deck::new(Arc::new(faces(&TABLE, deal, cards)));
        let mut fixture = Self { commitments: CommitmentKey::new(cards), deck, secrets, rng, round: 0, deal };
        for seat in 0..fixture.secrets.len() as u8 {
            let layer = fixture.layer(seat);
            fixture.put_on(seat, &layer).unwrap();
        }
        fixture
    }

    fn challenger(&self, seat: u8) -> Challenger {
        let head = Head([self.round; 32]);
        Challenger::new(&Context { table: TABLE, deal: self.deal, seat: Seat(seat), head })
    }

    fn layer(&mut self, seat: u8) -> Layer {
        let mut challenger = self.challenger(seat);
        let secret = &self.secrets[usize::from(seat)];
        self.deck.cover(&self.commitments, secret, &mut challenger, &mut self.rng).unwrap()
    }

    fn put_on(&mut self, seat: u8, layer: &Layer) -> Result<(), Invalid> {
        let mut batch = Batch::new();
        let layer = self.deck.accept_layer(&self.commitments, layer, &mut self.challenger(seat), &mut batch)?;
        let settled = batch.settle().map_err(|_| Invalid { label: SHUFFLE, why: "refuted" })?;
        self.round += 1;
        self.deck.put_on(settled.release(layer).unwrap())
    }

    fn take_off(&mut self, seat: u8, places: &[usize]) -> Option<Removal> {
        let mut challenger = self.challenger(seat);
        self.deck.take_off(&self.secrets[usize::from(seat)], places, &mut challenger, &mut self.rng)
    }

    fn accept(&mut self, seat: u8, places: &[usize], removal: &Removal) -> Result<AcceptedRemoval, Invalid> {
        let mut batch = Batch::new();
        let removal = self.deck.accept_removal(places, removal, &mut self.challenger(seat), &mut batch)?;
        let settled = batch.settle().map_err(|_| Invalid { label: EQUAL, why: "refuted" })?;
        Ok(settled.release(removal).unwrap())
    }

    fn remove(&mut self, seat: u8, places: &[usize]) {
        let removal = self.take_off(seat, places).unwrap();
        let accepted = self.accept(seat, places, &removal).unwrap();
        self.deck.remove(accepted).unwrap();
        self.round += 1;
    }

    /// Deals to a seat: everyone else takes its layer off.
    fn deal(&mut self, owner: u8, places: &[usize]) -> Vec<usize> {
        self.deck.assign(places, CardState::For(Seat(owner))).unwrap();
        for seat in (0..self.secrets.len() as u8).filter(|seat| *seat != owner) {
            self.remove(seat, places);
        }
        let secret = &self.secrets[usize::from(owner)];
        places.iter().map(|place| self.deck.look(secret, Seat(owner), *place).unwrap()).collect()
    }

    fn show(&mut self, seat: u8, places: &[usize]) -> Option<Showing> {
        let mut challenger = self.challenger(seat);
        self.deck.show(&self.secrets[usize::from(seat)], places, &mut challenger, &mut self.rng)
    }

    fn see(&mut self, seat: u8, places: &[usize], showing: &Showing) -> Result<Vec<usize>, Invalid> {
        let mut batch = Batch::new();
        let showing = self.deck.accept_showing(places, showing, &mut self.challenger(seat), &mut batch)?;
        let settled = batch.settle().map_err(|_| Invalid { label: EQUAL, why: "refuted" })?;
        let showing = settled.release(showing).unwrap();
        self.deck.face(&showing)?;
        Ok(showing.cards().collect())
    }
}

#[test]
fn sra_1_every_card_is_dealt_once_and_known_to_its_owner_alone() {
    for seats in [2, 3, 9] {
        let mut fixture = Fixture::new(seats, 18, 0, u64::from(seats));
        let mut seen = Vec::new();
        for seat in 0..seats {
            let place = 2 * usize::from(seat);
            seen.extend(fixture.deal(seat, &[place, place + 1]));
            for other in (0..seats).filter(|other| *other != seat) {
                let secret = &fixture.secrets[usize::from(other)];
                assert_eq!(fixture.deck.look(secret, Seat(other), place), None, "not its card");
            }
        }
        let up: Vec<usize> = (2 * usize::from(seats)..18).collect();
        if !up.is_empty() {
            fixture.deck.assign(&up, CardState::Up).unwrap();
            for seat in 0..seats {
                assert!(up.iter().all(|place| fixture.deck.face_up(*place).is_none()), "layers are left");
                fixture.remove(seat, &up);
            }
            seen.extend(up.iter().map(|place| fixture.deck.face_up(*place).unwrap().unwrap()));
        }
        seen.sort_unstable();
        assert_eq!(seen, (0..18).collect::<Vec<_>>(), "the deck was complete");
    }
}

#[test]
fn sra_2_and_3_shown_cards_are_the_dealt_ones_and_the_rest_stays_secret() {
    let mut fixture = Fixture::new(3, 8, 0, 4);
    let own = fixture.deal(1, &[0, 1, 2]);
    let other = fixture.deal(2, &[3]);
    let showing = fixture.show(1, &[1]).unwrap();
    // Another card of the pack, with the proof of the true one.
    let lie = Showing { cards: vec![other[0] as u16], ..showing.clone() };
    assert!(fixture.see(1, &[1], &lie).is_err());
    let none = Showing { cards: vec![8], ..showing.clone() };
    assert!(fixture.see(1, &[1], &none).is_err(), "no card of the pack");
    assert!(fixture.see(1, &[0], &showing).is_err(), "another place");
    assert!(fixture.see(2, &[1], &showing).is_err(), "another seat");
    assert_eq!(fixture.see(1, &[1], &showing), Ok(vec![own[1]]));
    assert!(fixture.see(1, &[1], &showing).is_err(), "once");
    assert_eq!(fixture.deck.state(0), Some(CardState::For(Seat(1))));
    // Laid aside, never shown; and not someone else's to lay aside.
    assert!(fixture.deck.discard(Seat(2), &[0]).is_err());
    let before = fixture.show(1, &[0]).unwrap();
    fixture.deck.discard(Seat(1), &[0]).unwrap();
    assert!(fixture.show(1, &[0]).is_none());
    assert!(fixture.see(1, &[0], &before).is_err());
    assert!(fixture.deck.discard(Seat(1), &[0]).is_err());
    assert!(fixture.deck.assign(&[0], CardState::Up).is_err(), "what is aside does not come back");
    assert_eq!(fixture.deck.look(&fixture.secrets[1], Seat(1), 0), Some(own[0]), "the owner remembers");
}

#[test]
fn a_layer_is_on_the_deck_as_it_is_once_before_the_deal() {
    let mut fixture = Fixture::new(2, 6, 0, 5);
    let again = fixture.layer(1);
    assert_eq!(fixture.put_on(1, &again).unwrap_err().why, "this seat's layer is already on");
    fixture.secrets.push(SeatSecret::random(&mut ChaCha20Rng::seed_from_u64(6)));
    let third = fixture.layer(2);
    fixture.deck.assign(&[0], CardState::Up).unwrap();
    assert_eq!(fixture.put_on(2, &third).unwrap_err().why, "cards have been dealt already");
}

#[test]
fn s_11_false_decks_are_refused() {
    type Change = fn(&mut Layer);
    let changes: [Change; 5] = [
        |layer| layer.deck[1] = layer.deck[0],
        |layer| layer.deck[1] = Element::hash("a card of one's own", &[]),
        |layer| layer.deck.swap(0, 1),
        |layer| layer.deck.truncate(5),
        |layer| layer.key = Element::generator(),
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let mut fixture = Fixture::new(1, 6, 0, 7);
        fixture.secrets.push(SeatSecret::random(&mut ChaCha20Rng::seed_from_u64(8)));
        let mut layer = fixture.layer(1);
        assert!(fixture.clone_put_on(&layer).is_ok());
        change(&mut layer);
        assert!(fixture.put_on(1, &layer).is_err(), "change {i}");
    }
}

impl Fixture {
    fn clone_put_on(&mut self, layer: &Layer) -> Result<(), Invalid> {
        let (deck, round) = (self.deck.clone(), self.round);
        let result = self.put_on(1, layer);
        (self.deck, self.round) = (deck, round);
        result
    }
}

#[test]
fn sr3_layers_come_off_assigned_places_only_once_and_for_others() {
    let mut fixture = Fixture::new(3, 6, 0, 9);
    assert!(fixture.take_off(0, &[0]).is_none(), "a card of the stock");
    fixture.deck.assign(&[0, 1], CardState::For(Seat(2))).unwrap();
    assert!(fixture.take_off(2, &[0]).is_none(), "the owner's own");
    assert!(fixture.take_off(0, &[0, 2]).is_none());
    assert!(fixture.take_off(0, &[6]).is_none() && fixture.take_off(0, &[]).is_none());
    let removal = fixture.take_off(0, &[0, 1]).unwrap();
    assert!(fixture.accept(0, &[1, 0], &removal).is_err(), "in another order");
    assert!(fixture.accept(1, &[0, 1], &removal).is_err(), "by another seat");
    let mut swapped = removal.clone();
    swapped.points.swap(0, 1);
    assert!(fixture.accept(0, &[0, 1], &swapped).is_err());
    let stale = fixture.accept(0, &[0, 1], &removal).unwrap();
    fixture.deck.remove(stale.clone()).unwrap();
    assert!(fixture.deck.remove(stale).is_err(), "only once");
    assert!(fixture.take_off(0, &[0]).is_none() && fixture.accept(0, &[0, 1], &removal).is_err());
    assert!(fixture.deck.assign(&[0], CardState::Up).is_err() && fixture.deck.assign(&[2, 2], CardState::Up).is_err());
    assert!(fixture.deck.assign(&[2], CardState::Aside(Seat(0))).is_err());
}

#[test]
fn sr1_a_key_that_outlives_its_deal_names_the_cards() {
    // What seat 1 showed in one deal is looked for among its closed cards of the next, by the public points alone.
    let recognised = |same_keys: bool, same_points: bool| {
        let rng = ChaCha20Rng::seed_from_u64(11);
        let mut first = Fixture::new(2, 12, 0, 12);
        let shown = first.deal(1, &[0, 1, 2, 3, 4, 5, 6, 7]);
        let known: Vec<(Element, usize)> = (0..8).map(|place| *first.deck.point(place).unwrap()).zip(shown).collect();
        let mut fresh = ChaCha20Rng::seed_from_u64(13);
        let secrets =
            if same_keys { first.secrets.clone() } else { (0..2).map(|_| SeatSecret::random(&mut fresh)).collect() };
        let mut second = Fixture::with(secrets, 12, u32::from(!same_points), rng);
        let truth = second.deal(1, &[0, 1, 2, 3, 4, 5, 6, 7]);
        let named = |place: usize| known.iter().find(|(point, _)| Some(point) == second.deck.point(place));
        (0..8).filter(|place| named(*place).is_some_and(|(_, card)| *card == truth[*place])).count()
    };
    assert!(recognised(true, true) >= 4, "every repeated card is named");
    assert_eq!(recognised(false, true), 0, "new keys");
    assert_eq!(recognised(true, false), 0, "new points");
}

#[test]
fn sra_21_to_24_all_but_one_together_learn_nothing_of_the_hand() {
    let mut fixture = Fixture::new(4, 8, 0, 14);
    let own = fixture.deal(2, &[0, 1]);
    fixture.deal(3, &[2]);
    // The others hold three keys and every public point; whatever products of their keys they put on the faces, none is
    // the closed card. (That nothing else helps them either is the assumption, DDH.)
    let faces = faces(&TABLE, 0, 8);
    let keys: Vec<Scalar> = [0, 1, 3].map(|i: usize| *fixture.secrets[i].secret().expose_secret()).to_vec();
    for mask in 0u8..8 {
        let factor: Scalar = keys.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, k)| *k).product();
        for face in faces.as_slice() {
            let point = Element::new(face.point() * factor).unwrap();
            assert!((0..2).all(|place| fixture.deck.point(place) != Some(&point)));
        }
    }
    // No passing of cards: a colluder shows nobody's card but its own, and only from its own place.
    assert!(fixture.show(3, &[0]).is_none());
    let showing = fixture.show(3, &[2]).unwrap();
    assert!(fixture.see(2, &[2], &showing).is_err() && fixture.see(3, &[0], &showing).is_err());
    let honest = fixture.show(2, &[0, 1]).unwrap();
    assert_eq!(fixture.see(2, &[0, 1], &honest), Ok(own));
}

#[test]
fn sra_22_one_honest_shuffle_makes_every_card_equally_likely() {
    // Two of three seats keep the order that they get, wherever the honest one sits among them.
    const CARDS: usize = 4;
    const DEALS: u32 = 400;
    for honest in 0..3 {
        let mut rng = ChaCha20Rng::seed_from_u64(22 + honest);
        let mut seen = [0u32; CARDS];
        for deal in 0..DEALS {
            let faces = faces(&TABLE, deal, CARDS);
            let (mut deck, mut product) = (faces.as_slice().to_vec(), Scalar::ONE);
            for seat in 0..3 {
                let secret = SeatSecret::random(&mut rng);
                let key = *secret.secret().expose_secret();
                product *= key;
                deck = match seat == honest {
                    true => exponent::shuffle(&secret, &deck, &mut rng).unwrap().0,
                    false => deck.iter().map(|point| Element::new(point.point() * key).unwrap()).collect(),
                };
            }
            let first = Element::new(deck[0].point() * product.invert()).unwrap();
            seen[faces.find(&first).unwrap()] += 1;
        }
        // Each 100 times but for five standard deviations.
        assert!(seen.iter().all(|count| (57..=143).contains(count)), "{seen:?}");
    }
}

#[test]
fn messages_have_one_encoding() {
    let mut fixture = Fixture::new(2, 5, 0, 15);
    let layer = Fixture::new(1, 5, 0, 16).layer(0);
    assert_eq!(Layer::from_bytes(&layer.to_bytes(), &5).unwrap(), layer);
    fixture.deal(1, &[0]);
    fixture.deck.assign(&[1, 2], CardState::For(Seat(1))).unwrap();
    let removal = fixture.take_off(0, &[1, 2]).unwrap();
    assert_eq!(Removal::from_bytes(&removal.to_bytes(), &2).unwrap(), removal);
    let showing = fixture.show(1, &[0]).unwrap();
    assert_eq!(Showing::from_bytes(&showing.to_bytes(), &1).unwrap(), showing);
    assert!(Layer::from_bytes(&layer.to_bytes(), &0).is_err() && Layer::from_bytes(&layer.to_bytes(), &4).is_err());
    assert!(Removal::from_bytes(&[], &0).is_err() && Showing::from_bytes(&[], &usize::MAX).is_err());
    let mut bytes = showing.to_bytes();
    bytes[1] = 0xff;
    assert!(Showing::from_bytes(&bytes, &1).is_err(), "no such card");
}
