//! The program's own texts, one file per area in `words/`; this is the only list of them.

use outis_game::words::{Catalogue, Language};

/// File and content.
static AREAS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// Areas that only commands use, not the page.
const OF_COMMANDS: [&str; 5] = ["play.json", "story.json", "terminal.json", "tournament.json", "verify.json"];

/// The node's texts, for the page and the terminal.
pub fn of_node(language: Language) -> Catalogue {
    read(language, |area| !OF_COMMANDS.contains(&area))
}

/// The commands' texts.
pub fn of_commands(language: Language) -> Catalogue {
    read(language, |area| OF_COMMANDS.contains(&area))
}

fn read(language: Language, is_wanted: impl Fn(&str) -> bool) -> Catalogue {
    let wanted = AREAS.iter().filter(|(area, _)| is_wanted(area));
    let areas = wanted.filter_map(|(_, words)| Catalogue::read(language, words).ok());
    areas.fold(Catalogue::new(language), Catalogue::and)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_area_speaks_every_language_with_the_same_arguments() {
        assert!(OF_COMMANDS.iter().all(|known| AREAS.iter().any(|(area, _)| area == known)));
        for (area, words) in AREAS {
            let heads: &[&str] = if OF_COMMANDS.contains(area) { &["play.", "terminal."] } else { &["node."] };
            let english = Catalogue::read(Language::En, words).unwrap();
            assert!(english.ids().all(|id| heads.iter().any(|head| id.starts_with(head))), "{area}");
            for language in Language::ALL {
                let words = Catalogue::read(language, words).unwrap();
                assert!(words.ids().eq(english.ids()), "{area}, {}", language.code());
                for id in words.ids() {
                    let (mut here, mut there) = (words.wants(id), english.wants(id));
                    here.sort_unstable();
                    there.sort_unstable();
                    assert_eq!(here, there, "{id}");
                }
            }
        }
    }
}
