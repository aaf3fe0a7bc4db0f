//! Just enough of TrueType: which glyph a character has, and how wide it is.

pub(super) struct Font {
    pub name: &'static str,
    pub data: &'static [u8],
    /// Characters that the font has, with glyph and width in thousandths, sorted.
    glyphs: Vec<(char, u16, u16)>,
    pub ascent: i32,
    pub descent: i32,
}

impl Font {
    pub(super) fn regular() -> Self {
        Self::new("DejaVuSans", include_bytes!("../../fonts/DejaVuSans.ttf"))
    }

    pub(super) fn bold() -> Self {
        Self::new("DejaVuSans-Bold", include_bytes!("../../fonts/DejaVuSans-Bold.ttf"))
    }

    fn new(name: &'static str, data: &'static [u8]) -> Self {
        let units = i32::from(u16_at(table(data, b"head"), 18).max(1));
        let hhea = table(data, b"hhea");
        let scale = |n: i32| n * 1000 / units;
        let metrics = usize::from(u16_at(hhea, 34));
        let hmtx = table(data, b"hmtx");
        let width = |glyph: u16| {
            let i = usize::from(glyph).min(metrics.saturating_sub(1));
            scale(i32::from(u16_at(hmtx, 4 * i))) as u16
        };
        let glyphs = characters(table(data, b"cmap")).into_iter().map(|(c, g)| (c, g, width(g))).collect();
        let signed = |at| i32::from(u16_at(hhea, at) as i16);
        Self { name, data, glyphs, ascent: scale(signed(4)), descent: scale(signed(6)) }
    }

    /// The glyph of a character and its width; unknown characters are drawn as a question mark.
    pub(super) fn glyph(&self, c: char) -> (u16, u16) {
        let find = |c: char| self.glyphs.binary_search_by_key(&c, |g| g.0).ok().map(|i| &self.glyphs[i]);
        find(c).or_else(|| find('?')).map_or((0, 600), |g| (g.1, g.2))
    }

    pub(super) fn glyphs(&self) -> &[(char, u16, u16)] {
        &self.glyphs
    }

    /// The width of a text in points.
    pub(super) fn width(&self, text: &str, size: f32) -> f32 {
        text.chars().map(|c| f32::from(self.glyph(c).1)).sum::<f32>() * size / 1000.0
    }
}

/// The characters of a format 4 table.
fn characters(cmap: &[u8]) -> Vec<(char, u16)> {
    let mut found = Vec::new();
    for i in 0..usize::from(u16_at(cmap, 2)) {
        let offset = (usize::from(u16_at(cmap, 8 + 8 * i)) << 16) | usize::from(u16_at(cmap, 10 + 8 * i));
        let sub = cmap.get(offset..).unwrap_or_default();
        if u16_at(sub, 0) != 4 {
            continue;
        }
        let segments = usize::from(u16_at(sub, 6) / 2);
        for s in 0..segments {
            let end = u16_at(sub, 14 + 2 * s);
            let start = u16_at(sub, 16 + 2 * segments + 2 * s);
            let delta = u16_at(sub, 16 + 4 * segments + 2 * s);
            let range_at = 16 + 6 * segments + 2 * s;
            let range = usize::from(u16_at(sub, range_at));
            for code in start..=end.min(0xfffe) {
                let glyph = match range {
                    0 => code.wrapping_add(delta),
                    _ => match u16_at(sub, range_at + range + 2 * usize::from(code - start)) {
                        0 => 0,
                        g => g.wrapping_add(delta),
                    },
                };
                if let (Some(c), true) = (char::from_u32(u32::from(code)), glyph != 0) {
                    found.push((c, glyph));
                }
            }
        }
        break;
    }
    found.sort_unstable();
    found
}

fn table<'a>(data: &'a [u8], tag: &[u8; 4]) -> &'a [u8] {
    let long = |at: usize| usize::from(u16_at(data, at)) << 16 | usize::from(u16_at(data, at + 2));
    (0..usize::from(u16_at(data, 4)))
        .map(|i| 12 + 16 * i)
        .find(|at| data.get(*at..at + 4) == Some(tag))
        .and_then(|at| data.get(long(at + 8)..long(at + 8) + long(at + 12)))
        .unwrap_or_default()
}

fn u16_at(data: &[u8], at: usize) -> u16 {
    data.get(at..at + 2).map_or(0, |b| u16::from_be_bytes([b[0], b[1]]))
}
