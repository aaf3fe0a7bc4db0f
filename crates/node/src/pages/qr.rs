//! QR codes: an invite that can be photographed.

use qrcodegen::{QrCode, QrCodeEcc};
use serde_json::{Value, json};

/// The dark squares of a code as one path, row by row, with the size of its side; `None` if the text is too long.
pub fn path(text: &str) -> Option<Value> {
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let size = code.size();
    let mut path = String::new();
    for y in 0..size {
        let mut x = 0;
        while x < size {
            let run = (x..size).take_while(|x| code.get_module(*x, y)).count() as i32;
            if run > 0 {
                path.push_str(&format!("M{x} {y}h{run}v1h-{run}z"));
            }
            x += run.max(1);
        }
    }
    Some(json!({ "size": size, "path": path }))
}

/// The code in half blocks, light on dark with a quiet zone, for a terminal.
pub fn blocks(text: &str) -> Option<String> {
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let light = |x: i32, y: i32| !code.get_module(x, y);
    let mut out = String::new();
    for y in (-2..code.size() + 2).step_by(2) {
        for x in -2..code.size() + 2 {
            out.push(match (light(x, y), light(x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        out.push('\n');
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_its_corners() {
        let code = path("outis1.abc").unwrap();
        assert_eq!(code["size"], 21);
        // The first row begins with the finder pattern: seven dark squares, one light.
        assert!(code["path"].as_str().unwrap().starts_with("M0 0h7v1h-7z"));
        let lines: Vec<String> = blocks("outis1.abc").unwrap().lines().map(str::to_owned).collect();
        assert!(lines.iter().all(|line| line.chars().count() == 25) && lines.len() == 13);
        assert!(path(&"x".repeat(3_000)).is_none());
    }
}
