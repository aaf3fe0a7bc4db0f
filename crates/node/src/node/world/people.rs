//! What the people at the nodes do.

use outis_game::ending::Ending;

use super::*;
use crate::ask::Start;

/// The key of nobody in this world.
const STRANGER: Key = Key([42; 32]);

/// What the person at a node knows. A crash does not make them forget it.
#[derive(Default)]
pub(super) struct Person {
    /// The request that they wait for.
    pub(super) busy: Option<AskId>,
    /// The text of an invite that they saw.
    pub(super) text: Option<String>,
    /// Whether no other game is possible: the program has restarted since.
    pub(super) no_more: bool,
}

/// What a player who leaves asks for besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Name,
    Block,
    Wait,
    Leave,
    Forget,
}

/// A player who leaves the first game this long after it began, and asks for many things at once.
pub(super) struct Leaver {
    pub(super) who: usize,
    pub(super) after: Millis,
    /// The game, and when it began.
    pub(super) game: Option<(TableName, Millis)>,
    pub(super) asked: BTreeMap<AskId, Asked>,
    /// What was answered, and whether with success.
    pub(super) answered: Vec<(Asked, bool)>,
    /// When they ask again for what was refused.
    pub(super) again: Millis,
}

impl Leaver {
    pub(super) fn has(&self, what: &Asked) -> bool {
        self.answered.iter().any(|(asked, done)| asked == what && *done)
    }
}

impl World {
    pub(super) fn replied(&mut self, who: usize, ask: AskId, reply: Result<Reply, Text>) {
        if let Some((leaver, asked)) =
            self.leaver.as_mut().and_then(|leaver| Some((leaver.asked.remove(&ask)?, leaver))).map(|(a, l)| (l, a))
        {
            leaver.answered.push((asked, reply.is_ok()));
            return self.is_as_answered();
        }
        let person = &mut self.nodes[who].person;
        assert_eq!(person.busy.take(), Some(ask), "one answer for each question");
        match reply {
            Ok(Reply::Invite(text, _)) => person.text = Some(text),
            Ok(_) => {}
            Err(why) if why == sorry("again") => person.no_more = true,
            Err(why) => assert_eq!(why.id, "node.error.file", "{:?}, {:?}", self.crash, self.disk),
        }
    }

    pub(super) fn ask(&mut self, who: usize, what: Ask) -> Result<(), Crashed> {
        self.asks += 1;
        let ask = AskId(self.asks);
        self.nodes[who].person.busy = Some(ask);
        self.give(who, Input::Asked(ask, what))
    }

    /// What the person at a node does next.
    pub(super) fn act(&mut self, who: usize) -> Result<(), Crashed> {
        if self.leaver.as_ref().is_some_and(|leaver| leaver.who == who && leaver.game.is_some()) {
            return self.leave(who);
        }
        let node = &self.nodes[who];
        if self.leaver.is_some() && !node.node.tables.iter().all(|open| open.about.end.is_none()) {
            return Ok(());
        }
        let turn = node.node.tables.iter().find(|open| open.about.end.is_none() && open.glance.turn);
        if let Some(id) = turn.map(|open| open.about.id.clone()) {
            let act = TableAsk::Act { token: "heads".to_owned(), round: None };
            self.nodes[who].tables.give_to(&id, In::Asked(AskId(0), act));
            return Ok(());
        }
        if node.person.busy.is_some() || !node.open().is_empty() {
            return Ok(());
        }
        if self.place.is_some() {
            return self.seek(who);
        }
        let (room, over) = (node.node.gathering.names().pop(), node.over().len());
        match (who, room, over) {
            (0, Some(id), _) if node.node.gathering.openings(&id).is_some_and(|room| room.open == 0) => {
                self.ask(0, Ask::Begin(id))
            }
            (0, Some(id), 0) if node.person.text.is_none() => self.ask(0, Ask::Invite(id, 24)),
            (_, Some(_), _) => Ok(()),
            (0, None, 0) => {
                let plan = Start { dials: Some(vec![1, self.clock]), ..Start::of_game("matching-pennies") };
                self.ask(0, Ask::Start(Box::new(plan)))
            }
            (_, None, 0) => match self.nodes[0].person.text.clone() {
                Some(text) => self.ask(who, Ask::Join(text)),
                None => Ok(()),
            },
            (_, None, 1) if !node.person.no_more => {
                let id = node.over()[0].id.clone();
                self.ask(who, Ask::Rematch(id))
            }
            _ => Ok(()),
        }
    }

    /// The player who leaves asks for everything at once, some of it twice; and a second later again for what was refused.
    pub(super) fn leave(&mut self, who: usize) -> Result<(), Crashed> {
        let now = self.now;
        let Some(leaver) = self.leaver.as_mut().filter(|leaver| leaver.again <= now) else { return Ok(()) };
        let Some((id, _)) = leaver.game.clone().filter(|(_, began)| began + leaver.after <= now) else {
            return Ok(());
        };
        leaver.again = now + 1_000;
        let name = crate::ask::ProfileChange { name: Some("Panna".into()), ..Default::default() };
        let asks = [
            (Asked::Name, Ask::Profile(name)),
            (Asked::Block, Ask::Block(STRANGER, "x".into(), true)),
            (Asked::Wait, Ask::Wait(id.clone())),
            (Asked::Leave, Ask::Leave(id.clone())),
            (Asked::Forget, Ask::Forget(id)),
        ];
        for (asked, ask) in asks {
            let Some(leaver) = self.leaver.as_mut() else { break };
            let is_first = leaver.answered.is_empty();
            let waits = leaver.asked.values().any(|open| *open == asked);
            let is_early = asked == Asked::Forget && !leaver.has(&Asked::Leave);
            // What is done need not be asked again; and a player stops waiting only once.
            if leaver.has(&asked) || waits || is_early || (asked == Asked::Wait && !is_first) {
                continue;
            }
            self.asks += 1;
            leaver.asked.insert(AskId(self.asks), asked);
            self.give(who, Input::Asked(AskId(self.asks), ask))?;
        }
        Ok(())
    }

    /// What was answered with success is true, in memory and on the disk.
    pub(super) fn is_as_answered(&self) {
        let Some(leaver) = &self.leaver else { return };
        let Sim { node, files, .. } = &self.nodes[leaver.who];
        let kept = files.settings.as_ref().map(|bytes| serde_json::from_slice::<Settings>(bytes).unwrap());
        if leaver.has(&Asked::Block) {
            assert!(node.settings().is_blocked(&STRANGER), "a block that is none, {:?}", self.disk);
            assert!(kept.as_ref().is_some_and(|kept| kept.is_blocked(&STRANGER)), "{:?}", self.disk);
        }
        if leaver.has(&Asked::Name) {
            assert!(
                node.settings().name == "Panna" && kept.is_some_and(|kept| kept.name == "Panna"),
                "{:?}",
                self.disk
            );
        }
        let Some((id, _)) = &leaver.game else { return };
        // A game that ended before is closed at once, and may be written later.
        let has_left = node.tables.about(id).is_some_and(|about| about.end == Some(Ending::Left));
        if leaver.has(&Asked::Leave) && has_left && !leaver.answered.iter().any(|(asked, _)| *asked == Asked::Forget) {
            assert!(files.abouts.get(id).is_some_and(|about| read(about).end.is_some()), "{:?}", self.disk);
            assert!(files.logs.contains_key(id), "left without a log, {:?}", self.disk);
        }
        if leaver.has(&Asked::Forget) {
            assert!(!files.abouts.contains_key(id) && node.tables.about(id).is_none(), "{:?}", self.disk);
        }
    }
}
