//! Figures of the thesis on tarokk.

mod deck;
mod rules;

use std::collections::BTreeSet;

use outis_table::game::Rules;
use outis_tarokk::rules::auction::{Auction, Bid, Call, Promise};
use outis_tarokk::rules::call::calls;
use outis_tarokk::rules::cards::{Card, PACK, Rank, Suit, TAROKKS};
use outis_tarokk::rules::cardset::CardSet;
use outis_tarokk::rules::discard::{AnnulmentReason, annulment, check_discard};
use outis_tarokk::rules::facts::{Facts, Sides};
use outis_tarokk::rules::figures::{DOUBLE_FROM, Figure, MORDKONTRA, Side};
use outis_tarokk::rules::options::Options;
use outis_tarokk::rules::rounds::DoubleRounds;
use outis_tarokk::rules::seats::{Player, Seating};
use outis_tarokk::rules::settle::{Account, Count, count_payments, failed_trial, payments};
use outis_tarokk::rules::table::Tarokk;
use outis_tarokk::rules::talon::split;

use self::deck::{guessing, needs_all, open_codes, safe_primes, sizes_of_codes, time_to_shuffle};
use self::rules::{
    SIDES, accounts, both_sides, dealt, double_round, ending, endings, facts, give_up_a_trick, net, pays, points_of,
    runs, said_by, sums, times, wins_from,
};
use super::found::{Found, said};
use super::{Entry, n};

/// Its figures, as `spec/figures.md` lists them.
pub const FIGURES: &[Entry] = &[
    Entry {
        id: "tarokk.1",
        section: "2.3",
        what: "how many together cannot open a code",
        theirs: "n − 1",
        how: "a deck of 2 to 5 seats: what is left without one seat's part is no face, with all parts every card opens",
        find: |_| {
            let right = (2..=5).filter(|seats| needs_all(*seats) == Some(true)).count();
            Found::all(right, (2..=5).count(), "tables, 2 to 5 seats")
        },
    },
    Entry {
        id: "tarokk.2",
        section: "4.1, step 1",
        what: "order of the group of residues",
        theirs: "G rendje q",
        how: "squares modulo every safe prime below 2,000, counted",
        find: |_| {
            let (right, of) = safe_primes(2000);
            Found::all(right, of, "safe primes below 2,000")
        },
    },
    Entry {
        id: "tarokk.3",
        section: "4.1, step 3",
        what: "players who make keys",
        theirs: "1-től 4-ig",
        how: "our players of a deal, first and last number",
        find: |theirs| Found::numbers(theirs, &[n(Player::ALL[0].number()), n(Player::ALL[3].number())]),
    },
    Entry {
        id: "tarokk.4",
        section: "4.1, step 6",
        what: "type values",
        theirs: "42 értékben",
        how: "our pack, and the codes of its open encryption",
        find: |theirs| Found::numbers(theirs, &[n(PACK)]).and(open_codes().1 == PACK),
    },
    Entry {
        id: "tarokk.5",
        section: "4.1, step 7",
        what: "the open encryption",
        theirs: "c_{i,1} = g, c_{i,2} = d_i h",
        how: "codes of our open deck whose randomness is 1",
        find: |_| {
            let (right, of) = open_codes();
            Found::all(right, of, "codes")
        },
    },
    Entry {
        id: "tarokk.6",
        section: "4.3.3",
        what: "a false shuffle is not noticed",
        theirs: "1/2^s",
        how: "all challenges of 1 to 12 rounds against all preparations; the bound in the type of a proof",
        find: |_| guessing(),
    },
    Entry {
        id: "tarokk.7",
        section: "4.3.4, step 3",
        what: "places of the cards that are dealt",
        theirs: "9(i-1)+j",
        how: "places for 4 players and 9 cards, and what is left for the talon",
        find: |_| {
            let places: BTreeSet<usize> = (1..=4).flat_map(|i| (1..=9).map(move |j| 9 * (i - 1) + j)).collect();
            let talon = dealt().talon.len();
            let hands: usize = dealt().hands.iter().map(|hand| hand.len()).sum();
            Found::when(
                places.len() == hands && places.last() == Some(&hands) && PACK - hands == talon,
                format!("{} places, each once; {} left", places.len(), PACK - places.len()),
            )
        },
    },
    Entry {
        id: "tarokk.8",
        section: "5.4",
        what: "coloured cards that show less than eight tarokks",
        theirs: "2 színes lap",
        how: "coloured cards of a hand of nine with seven tarokks; no hand with eight has as many",
        find: |theirs| {
            let hand = n(dealt().hands[0].len());
            let with = |tarokks: i64| hand - tarokks;
            Found::numbers(theirs, &[with(7)]).and(with(8) < with(7) && with(9) < with(7))
        },
    },
    Entry {
        id: "tarokk.9",
        section: "6.2",
        what: "bits of an encrypted card",
        theirs: "lineárisan … logaritmikusan … eltűnnek",
        how: "players × bits of a card number × modulus of our classic dark chess; bits of our code, for 2 to 9 players and 42 and 52 cards",
        find: |_| sizes_of_codes(),
    },
    Entry {
        id: "tarokk.10",
        section: "6.4",
        what: "time to deal with all checks (Stamer 2005, 32 cards)",
        theirs: "20 másodperc alá",
        how: "four shuffles of 42 cards, proved and checked once each, on this machine",
        find: |_| time_to_shuffle(),
    },
    Entry {
        id: "tarokk.11",
        section: "7.1.1",
        what: "players at a table",
        theirs: "négyen … ötösben",
        how: "seats of our table, fewest and most",
        find: |theirs| {
            let seats = Tarokk::seats(&Options::default());
            Found::numbers(theirs, &[n(*seats.start()), n(*seats.end())])
        },
    },
    Entry {
        id: "tarokk.12",
        section: "7.1.2",
        what: "cards",
        theirs: "42 lapos",
        how: "our pack",
        find: |theirs| Found::numbers(theirs, &[n(Card::all().count())]),
    },
    Entry {
        id: "tarokk.13",
        section: "7.1.2",
        what: "tarokks",
        theirs: "22 tarokk",
        how: "our pack",
        find: |theirs| Found::numbers(theirs, &[n(CardSet::ALL.tarokks().len())]),
    },
    Entry {
        id: "tarokk.14",
        section: "7.1.2",
        what: "the pack as it is sold",
        theirs: "54 lapos … 8-8 … 3-3",
        how: "our tarokks and suits with the cards that are removed put back",
        find: |theirs| {
            let said = said(theirs);
            let (suits, each) = (n(Suit::ALL.len()), n(CardSet::ALL.of(Suit::Hearts).len()));
            let [sold, of_suit, removed] = [0, 1, 3].map(|i| said[i]);
            Found::when(
                of_suit - removed == each && sold - suits * removed == n(PACK) && sold == n(TAROKKS) + suits * of_suit,
                format!("{} of {}, {each} of a suit left", n(PACK), n(TAROKKS) + suits * (each + removed)),
            )
        },
    },
    Entry {
        id: "tarokk.15",
        section: "7.1.2",
        what: "points of an honour",
        theirs: "egyenként 5",
        how: "points of each of our honours",
        find: |theirs| Found::numbers(theirs, &points_of(Card::is_honour)),
    },
    Entry {
        id: "tarokk.16",
        section: "7.1.2",
        what: "the other tarokks and their points",
        theirs: "tizenkilenc tarokk … 1-1 pontot",
        how: "how many, and their points",
        find: |theirs| {
            let others = CardSet::ALL.filter(|card| card.is_tarokk() && !card.is_honour());
            let points = points_of(|card| others.contains(card));
            Found::numbers(theirs, &[n(others.len()), points[0], points[points.len() - 1]])
        },
    },
    Entry {
        id: "tarokk.17",
        section: "7.1.2",
        what: "cards of a suit",
        theirs: "5-5 lapból",
        how: "each of our suits, smallest and largest",
        find: |theirs| {
            let mut sizes = Suit::ALL.map(|suit| n(CardSet::ALL.of(suit).len()));
            sizes.sort_unstable();
            Found::numbers(theirs, &[sizes[0], sizes[3]])
        },
    },
    Entry {
        id: "tarokk.18",
        section: "7.1.2",
        what: "points of coloured cards",
        theirs: "király: 5 pont, dáma: 4 pont, lovas: 3 pont, bubi: 2 pont, tízes ill. ász: 1 pont",
        how: "our ranks from the highest",
        find: |theirs| {
            let points = Rank::ALL
                .into_iter()
                .rev()
                .map(|rank| n(Card::coloured(Suit::Hearts, rank).points()))
                .collect::<Vec<_>>();
            Found::numbers(theirs, &points)
        },
    },
    Entry {
        id: "tarokk.19",
        section: "7.1.2",
        what: "points in all, of a suit, of the honours, of the other tarokks",
        theirs: "94 pont: ebből négyszer 15 … 15-öt … 19-et",
        how: "sums over our pack",
        find: |theirs| {
            let sum = |keep: fn(Card) -> bool| n(CardSet::ALL.filter(keep).points());
            Found::numbers(
                theirs,
                &[
                    n(CardSet::ALL.points()),
                    n(CardSet::ALL.of(Suit::Spades).points()),
                    sum(Card::is_honour),
                    sum(|card| card.is_tarokk() && !card.is_honour()),
                ],
            )
        },
    },
    Entry {
        id: "tarokk.20",
        section: "7.2",
        what: "cards of a hand and of the talon",
        theirs: "9-9 lap … a maradék 6",
        how: "our deal",
        find: |theirs| {
            let dealt = dealt();
            let mut hands = dealt.hands.map(|hand| n(hand.len()));
            hands.sort_unstable();
            Found::numbers(theirs, &[hands[0], hands[3], n(dealt.talon.len())])
        },
    },
    Entry {
        id: "tarokk.21",
        section: "7.2",
        what: "points that win",
        theirs: "legalább 48-at",
        how: "more than half of all points; where our settlement changes sides",
        find: |theirs| {
            Found::numbers(theirs, &[n(CardSet::ALL.points()) / 2 + 1])
                .and(wins_from() == n(CardSet::ALL.points()) / 2 + 1)
        },
    },
    Entry {
        id: "tarokk.22",
        section: "7.2",
        what: "tricks",
        theirs: "mind a kilenc ütés",
        how: "cards of all hands divided by the players",
        find: |theirs| {
            let hands: usize = dealt().hands.iter().map(|hand| hand.len()).sum();
            Found::numbers(theirs, &[n(hands / Player::ALL.len())])
        },
    },
    Entry {
        id: "tarokk.23",
        section: "7.3",
        what: "cards that are drawn for seats",
        theirs: "öt játékos … négyen",
        how: "sizes of the draw that our seating accepts, the larger first",
        find: |theirs| {
            let sizes: Vec<i64> = (2..9u8)
                .rev()
                .filter(|size| {
                    let cards: Vec<u8> = (0..*size).collect();
                    Seating::draw(&cards, &cards).is_some()
                })
                .map(n)
                .collect();
            Found::numbers(theirs, &sizes)
        },
    },
    Entry {
        id: "tarokk.24",
        section: "7.3",
        what: "order of dealing",
        theirs: "hat lapot … 5-5 … 4-4",
        how: "runs of our deal of an ordered deck: talon, then the hands",
        find: |theirs| {
            let runs = runs();
            Found::numbers(theirs, &[runs[0][0], runs[1][0], runs[4][0], runs[1][1], runs[4][1]])
                .and(runs[1..].iter().all(|hand| *hand == runs[1]))
        },
    },
    Entry {
        id: "tarokk.25",
        section: "7.3",
        what: "deals after skíz oszt, nem oszt, five players",
        theirs: "5-9 játszma",
        how: "our procedure for every holder of the skíz",
        find: |theirs| {
            let (printed, [low, high]) = (said(theirs), endings(5));
            let dealer = Seating::new(5, 0).expect("a table of five");
            let argument = printed != [low, high]
                && printed[1] == high
                && ending(dealer, dealer.dealer()) == printed[0]
                && dealer.player(dealer.dealer()).is_none();
            Found::wrong(argument, format!("{low} to {high}"), SKIZ)
        },
    },
    Entry {
        id: "tarokk.26",
        section: "7.3",
        what: "the same, four players",
        theirs: "4-7",
        how: "our procedure for every holder of the skíz",
        find: |theirs| Found::numbers(theirs, &endings(4)),
    },
    Entry {
        id: "tarokk.27",
        section: "7.4",
        what: "bids, by the cards that they take, and what they pay",
        theirs: "három (1 pont); kettő (2 pont); egy (3 pont); szóló (4 pont)",
        how: "cards and value of each of our bids (szóló: none)",
        find: |theirs| {
            let pairs =
                Bid::ALL.into_iter().flat_map(|bid| [n(split(Player::FIRST, bid)[0]), bid.value()]).collect::<Vec<_>>();
            Found::numbers(theirs, &pairs)
        },
    },
    Entry {
        id: "tarokk.28",
        section: "7.4",
        what: "talon cards of the declarer",
        theirs: "nullától háromig",
        how: "fewest and most over our bids",
        find: |theirs| {
            let taken = Bid::ALL.map(|bid| n(split(Player::FIRST, bid)[0]));
            Found::numbers(theirs, &[taken.into_iter().min().expect("a bid"), taken.into_iter().max().expect("a bid")])
        },
    },
    Entry {
        id: "tarokk.29",
        section: "7.4",
        what: "deals of a double round",
        theirs: "négy vagy öt játszmát",
        how: "paid deals that our double round lasts, with four and five seats",
        find: |theirs| {
            let rounds: Vec<i64> = said(theirs).into_iter().map(|seats| double_round(seats as u8)).collect();
            Found::numbers(theirs, &rounds)
        },
    },
    Entry {
        id: "tarokk.30",
        section: "7.4",
        what: "factor where two double rounds overlap",
        theirs: "négyszeres",
        how: "our factor in two rounds",
        find: |theirs| {
            let mut rounds = DoubleRounds::default();
            rounds.open(4);
            rounds.open(4);
            Found::numbers(theirs, &[rounds.multiplier()])
        },
    },
    Entry {
        id: "tarokk.31",
        section: "7.4",
        what: "a trial that fails",
        theirs: "1-1 pontot",
        how: "what each of the others gets of a failed three",
        find: |theirs| {
            let paid = failed_trial(Player::ALL[3], Bid::Three);
            Found::numbers(theirs, &[paid[0], paid[1]]).and(paid.iter().sum::<i64>() == 0)
        },
    },
    Entry {
        id: "tarokk.32",
        section: "7.5.1",
        what: "how the talon is shared",
        theirs: "3 1 1 1; 2 2 1 1; 1 2 2 1; – 2 2 2",
        how: "our shares by bid, the declarer first",
        find: |theirs| {
            let shares: Vec<i64> = Bid::ALL
                .into_iter()
                .flat_map(|bid| split(Player::FIRST, bid))
                .map(n)
                .filter(|cards| *cards > 0)
                .collect();
            Found::numbers(theirs, &shares).and(
                Bid::ALL.into_iter().all(|bid| split(Player::FIRST, bid).iter().sum::<usize>() == dealt().talon.len()),
            )
        },
    },
    Entry {
        id: "tarokk.33",
        section: "7.5.2",
        what: "points of the cards that stay",
        theirs: "öt pont értékű",
        how: "points of every card that our rules keep, and that no other card has as many",
        find: |theirs| {
            let whole = CardSet::ALL;
            let kept = |card: Card| check_discard(whole, 1, CardSet::from([card]), None).is_err();
            Found::numbers(theirs, &points_of(kept))
                .and(Card::all().all(|card| kept(card) == (n(card.points()) == points_of(kept)[0])))
        },
    },
    Entry {
        id: "tarokk.34",
        section: "7.5.3",
        what: "coloured cards of two hands that may be annulled",
        theirs: "kilenc színes lap … hét színes lap",
        how: "hands of nine that our rules let annul on these two grounds",
        find: |theirs| {
            let coloured = |count: usize| -> CardSet {
                CardSet::ALL.filter(|card| !card.is_tarokk() && !card.is_king()).iter().take(count).collect()
            };
            let hand = dealt().hands[0].len();
            let two = CardSet::from([Card::XXI, Card::PAGAT]);
            let grounds = [
                annulment(coloured(hand), CardSet::EMPTY),
                annulment(coloured(hand - two.len()).union(two), CardSet::EMPTY),
            ];
            Found::numbers(theirs, &[n(hand), n(hand - two.len())])
                .and(grounds == [Ok(AnnulmentReason::NoTarokk), Ok(AnnulmentReason::XxiAndPagat)])
        },
    },
    Entry {
        id: "tarokk.35",
        section: "7.6.1",
        what: "the example of a call",
        theirs: "skíz, XX, XIX, XVIII, XV, XIII, VII … XVII",
        how: "what our rules let this hand call",
        find: |_| {
            let hand: CardSet =
                ["skiz", "XX", "XIX", "XVIII", "XV", "XIII", "VII"].into_iter().filter_map(Card::parse).collect();
            let calls = calls(hand, 0, None);
            let names: Vec<String> = calls.iter().map(ToString::to_string).collect();
            Found::when(
                hand.len() == 7 && calls.first() == Card::parse("XVII").as_ref() && calls.last() == Some(&Card::XX),
                names.join(" or "),
            )
        },
    },
    Entry {
        id: "tarokk.36",
        section: "7.6.2 (1)",
        what: "what Trull pays",
        theirs: "1 pont csendben, 2 pont bemondva",
        how: "our payment, the same for every bid",
        find: |theirs| Found::numbers(theirs, &pays(Figure::Trull)),
    },
    Entry {
        id: "tarokk.37",
        section: "7.6.2 (2)",
        what: "what négykirály pays",
        theirs: "1 pont csendben, 2 pont bemondva",
        how: "our payment, the same for every bid",
        find: |theirs| Found::numbers(theirs, &pays(Figure::FourKings)),
    },
    Entry {
        id: "tarokk.38",
        section: "7.6.2 (3)",
        what: "points for duplajáték",
        theirs: "legalább 71 pontot … a 23at",
        how: "the least number that is three quarters of all points, and the rest; our threshold",
        find: |theirs| {
            let all = n(CardSet::ALL.points());
            let least = (0..=all).find(|points| 4 * points >= 3 * all).expect("all of them");
            Found::numbers(theirs, &[least, all - least]).and(least == n(DOUBLE_FROM))
        },
    },
    Entry {
        id: "tarokk.39",
        section: "7.6.2 (3)",
        what: "what duplajáték pays",
        theirs: "megkétszerezik … megnégyszerezik",
        how: "our payment divided by the value of the bid",
        find: |theirs| Found::numbers(theirs, &times(Figure::Double)),
    },
    Entry {
        id: "tarokk.40",
        section: "7.6.2 (4)",
        what: "what volát pays",
        theirs: "háromszorososa, bemondva hatszorosa",
        how: "our payment divided by the value of the bid",
        find: |theirs| Found::numbers(theirs, &times(Figure::Volat)),
    },
    Entry {
        id: "tarokk.41",
        section: "7.6.2 (5)",
        what: "what pagátultimó pays",
        theirs: "5 pont … 10 pont",
        how: "our payment, the same for every bid",
        find: |theirs| Found::numbers(theirs, &pays(Figure::PagatUltimo)),
    },
    Entry {
        id: "tarokk.42",
        section: "7.6.2 (6)",
        what: "what huszonegyfogás pays",
        theirs: "21 pont … 42 pont",
        how: "our payment, the same for every bid",
        find: |theirs| Found::numbers(theirs, &pays(Figure::XxiCatch)),
    },
    Entry {
        id: "tarokk.43",
        section: "7.6.3",
        what: "the game of egy with every kontra",
        theirs: "3 pont, kontrázva 6, rekontrával 12, szubkontrával 24, hirskontrával 48, mordkontrával pedig 96",
        how: "our settlement of that game, won, at every level",
        find: |theirs| {
            let levels: Vec<i64> = (0..=MORDKONTRA).map(|level| net(Bid::One, level, &[], facts(50))).collect();
            Found::numbers(theirs, &levels)
        },
    },
    Entry {
        id: "tarokk.44",
        section: "7.6.4",
        what: "numbers of tarokks",
        theirs: "nyolc tarokkért 1-1 pont, kilencért 2-2 pont",
        how: "what two of the others pay by our settlement",
        find: |theirs| {
            let count = |tarokks: u8| {
                let counts = [Count { player: Player::FIRST, tarokks, announced: true }];
                let paid = count_payments(&counts, SIDES);
                [n(tarokks), -paid[1], -paid[2]]
            };
            Found::numbers(theirs, &[count(8), count(9)].concat())
        },
    },
    Entry {
        id: "tarokk.45",
        section: "7.7.1",
        what: "points with which each side wins",
        theirs: "48 pontot … legalább 47 pontot",
        how: "where our settlement changes sides, and what the others then have",
        find: |theirs| Found::numbers(theirs, &[wins_from(), n(CardSet::ALL.points()) - (wins_from() - 1)]),
    },
    Entry {
        id: "tarokk.46",
        section: "7.7.1",
        what: "the example of kettő",
        theirs: "75 pontot … 4 pont … 2 pontjának",
        how: "our settlement with these points, and the value of the bid",
        find: |theirs| {
            let points = said(theirs)[0];
            Found::numbers(theirs, &[points, net(Bid::Two, 0, &[], facts(points as u8)), Bid::Two.value()])
        },
    },
    Entry {
        id: "tarokk.47",
        section: "7.7.1, rule 2",
        what: "duplajáték announced, game lost",
        theirs: "ötszörösét",
        how: "our settlement divided by the value of the bid, the same for every bid",
        find: |theirs| {
            let lost = |bid: Bid| -net(bid, 0, &[said_by(Figure::Double, Side::Declarer, 0)], facts(40)) / bid.value();
            Found::numbers(theirs, &[lost(Bid::Three)])
                .and(Bid::ALL.into_iter().all(|bid| lost(bid) == lost(Bid::Three)))
        },
    },
    Entry {
        id: "tarokk.48",
        section: "7.7.1",
        what: "four kings announced, made by the others",
        theirs: "3 pontot kapnak",
        how: "our settlement of that figure alone",
        find: |theirs| {
            let kings = Facts { kings: [Side::Opponents; 4], ..facts(50) };
            Found::numbers(
                theirs,
                &[net(Bid::Three, 0, &[], facts(50))
                    - net(Bid::Three, 0, &[said_by(Figure::FourKings, Side::Declarer, 0)], kings)],
            )
        },
    },
    Entry {
        id: "tarokk.49",
        section: "7.7.1",
        what: "four kings announced by both, one of them under kontra",
        theirs: "6 pontot kap … 2 pontot",
        how: "our settlement of both figures: made by either side, and by neither",
        find: |theirs| both_sides(theirs),
    },
    Entry {
        id: "tarokk.50",
        section: "7.7.1",
        what: "giving up a trick",
        theirs: "4 pontért (2 + 1 + 1) … csak 3 pontot",
        how: "our settlement of all but one trick, its three parts, and of all nine",
        find: |theirs| give_up_a_trick(theirs),
    },
    Entry {
        id: "tarokk.51",
        section: "7.7.1",
        what: "alone against three",
        theirs: "háromszoros",
        how: "our payments, the declarer's divided by an opponent's",
        find: |theirs| {
            let items = Account { bid: Bid::Three, game_kontra: 0, announcements: &[], facts: facts(50) }.items();
            let paid = payments(&items, Sides { declarer: Player::FIRST, partner: None });
            Found::numbers(theirs, &[paid[0] / -paid[1]])
        },
    },
    Entry {
        id: "tarokk.52",
        section: "7.7.1",
        what: "sum of all payments",
        theirs: "mindig nulla",
        how: "the least and the most sum over all bids, kontras and points of our settlement",
        find: |theirs| {
            let sums = sums();
            Found::numbers(theirs, &sums.iter().copied().collect::<Vec<_>>()).with(format!("{} accounts", accounts()))
        },
    },
    Entry {
        id: "tarokk.53",
        section: "7.8.1",
        what: "what a jump promises",
        theirs: "egy lépés … XIX; két lépés … XVIII",
        how: "our opening bids one and two steps above the lowest",
        find: |_| {
            let promise = |bid: Bid| Auction::new(Options::default()).promise(Player::FIRST, Call::Bid(bid));
            let [one, two] = [promise(Bid::Two), promise(Bid::One)];
            Found::when(
                [one, two] == [Promise::Invit(Card::XIX), Promise::Invit(Card::XVIII)],
                format!("{one:?}, {two:?}"),
            )
        },
    },
];

const SKIZ: &str =
    "Five deals would follow only if the dealer held the skíz, and the dealer of five holds no cards (7.1.1).";
