//! `docs/new-game.md` shows this whole folder, block by block: what a reader copies from it is what compiles and plays here.

const GUIDE: &str = include_str!("../../../docs/new-game.md");

/// The files of the folder, in the guide's order. (This one is not among them: a game of one's own has no guide to compare.)
const FILES: [(&str, &str); 7] = [
    ("Cargo.toml", include_str!("../Cargo.toml")),
    ("src/lib.rs", include_str!("../src/lib.rs")),
    ("src/rules.rs", include_str!("../src/rules.rs")),
    ("src/protocol.rs", include_str!("../src/protocol.rs")),
    ("src/table.rs", include_str!("../src/table.rs")),
    ("words/matching-pennies.json", include_str!("../words/matching-pennies.json")),
    ("src/tests.rs", include_str!("../src/tests.rs")),
];

/// What the guide adds elsewhere, and where.
const ELSEWHERE: [&str; 2] = [include_str!("../../catalogue/Cargo.toml"), include_str!("../../catalogue/src/lib.rs")];

/// The lines of a file that the guide shows. A line with the name of a file alone begins it; its blocks may have text between
/// them; the next heading with another file ends it.
fn shown(file: &str) -> Vec<&'static str> {
    let (mut lines, mut within, mut block) = (Vec::new(), false, false);
    for line in GUIDE.lines() {
        if block && line.starts_with("```") {
            block = false;
        } else if block {
            lines.push(line);
        } else if let Some(named) = line.strip_prefix("`games/matching-pennies/").and_then(|l| l.strip_suffix('`')) {
            within = named == file;
        } else if line.starts_with("## 7.") {
            within = false;
        } else {
            block = within && line.starts_with("```");
        }
    }
    lines.into_iter().filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_guide_shows_this_folder() {
    for (file, text) in FILES {
        let there: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
        for (at, (shown, there)) in shown(file).iter().zip(&there).enumerate() {
            assert_eq!(
                shown,
                there,
                "docs/new-game.md differs from {file}, counting lines that are not empty, at {}",
                at + 1
            );
        }
        assert_eq!(shown(file).len(), there.len(), "docs/new-game.md shows less or more than {file}");
    }
}

#[test]
fn its_lines_of_the_catalogue_are_there() {
    let (_, part) = GUIDE.split_once("## 7.").expect("part 7");
    let blocks: Vec<&str> = part.split("```").skip(1).step_by(2).collect();
    for (block, catalogue) in blocks.iter().zip(ELSEWHERE) {
        let (_, lines) = block.split_once('\n').expect("a block");
        assert!(!lines.trim().is_empty() && catalogue.contains(lines), "the catalogue has no line {lines}");
    }
}
