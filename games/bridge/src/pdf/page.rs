//! A document of pages with text, lines and boxes. Coordinates are points from the top left corner.

use core::fmt::Write;

use qrcodegen::{QrCode, QrCodeEcc};

use super::font::Font;

/// A part of a page, from its top left corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub x: f32,
    pub y: f32,
    pub w: f32,
    pub h: f32,
}

/// The size of the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paper {
    /// 210 × 297 mm.
    #[default]
    A4,
    /// 8.5 × 11 inches.
    Letter,
}

impl Paper {
    /// Width and height in points.
    pub(super) const fn size(self) -> (f32, f32) {
        match self {
            Self::A4 => (595.0, 842.0),
            Self::Letter => (612.0, 792.0),
        }
    }

    /// `a4` or `letter`.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "a4" => Some(Self::A4),
            "letter" => Some(Self::Letter),
            _ => None,
        }
    }
}

/// Which side of `x` a text is on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Centre,
    Right,
}

/// How a text is set.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub size: f32,
    pub bold: bool,
    pub red: bool,
    pub align: Align,
}

impl Style {
    pub(super) const fn new(size: f32) -> Self {
        Self { size, bold: false, red: false, align: Align::Left }
    }

    pub(super) const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub(super) const fn centre(self) -> Self {
        Self { align: Align::Centre, ..self }
    }

    pub(super) const fn right(self) -> Self {
        Self { align: Align::Right, ..self }
    }

    pub(super) const fn red(self, red: bool) -> Self {
        Self { red, ..self }
    }
}

pub(super) struct Document {
    title: String,
    pub width: f32,
    pub height: f32,
    fonts: [Font; 2],
    pages: Vec<String>,
}

impl Document {
    pub(super) fn new(title: &str, paper: Paper) -> Self {
        let (width, height) = paper.size();
        Self { title: title.to_owned(), width, height, fonts: [Font::regular(), Font::bold()], pages: Vec::new() }
    }

    pub(super) fn page(&mut self) {
        self.pages.push(String::new());
    }

    fn draw(&mut self, command: core::fmt::Arguments<'_>) {
        if self.pages.is_empty() {
            self.page();
        }
        if let Some(page) = self.pages.last_mut() {
            let _ = writeln!(page, "{command}");
        }
    }

    pub(super) fn measure(&self, text: &str, style: Style) -> f32 {
        self.fonts[usize::from(style.bold)].width(text, style.size)
    }

    /// A text with its baseline at `y`; returns its width.
    pub(super) fn text(&mut self, x: f32, y: f32, style: Style, text: &str) -> f32 {
        let width = self.measure(text, style);
        let x = match style.align {
            Align::Left => x,
            Align::Centre => x - width / 2.0,
            Align::Right => x - width,
        };
        let font = &self.fonts[usize::from(style.bold)];
        let hex: String = text.chars().map(|c| format!("{:04x}", font.glyph(c).0)).collect();
        let colour = if style.red { "0.75 0 0 rg" } else { "0 g" };
        let (number, size, y) = (usize::from(style.bold), style.size, self.height - y);
        self.draw(format_args!("{colour} BT /Font{number} {size:.1} Tf {x:.2} {y:.2} Td <{hex}> Tj ET"));
        width
    }

    /// A text in lines of at most this width, broken between words.
    pub(super) fn wrap(&self, text: &str, style: Style, width: f32) -> Vec<String> {
        let mut lines = vec![String::new()];
        for word in text.split(' ') {
            let last = lines.last().cloned().unwrap_or_default();
            let longer = if last.is_empty() { word.to_owned() } else { format!("{last} {word}") };
            if self.measure(&longer, style) <= width || last.is_empty() {
                lines.pop();
                lines.push(longer);
            } else {
                lines.push(word.to_owned());
            }
        }
        lines
    }

    /// A line across, at this distance from the top.
    pub(super) fn rule(&mut self, left: f32, right: f32, y: f32, thickness: f32, dashed: bool) {
        let dash = if dashed { "[4 3] 0 d" } else { "[] 0 d" };
        let y = self.height - y;
        self.draw(format_args!("0 G {thickness:.2} w {dash} {left:.2} {y:.2} m {right:.2} {y:.2} l S"));
    }

    /// A box, perhaps filled with a grey from 0 to 1.
    pub(super) fn rect(&mut self, area: Area, thickness: f32, grey: Option<f32>) {
        let Area { x, y, w, h } = area;
        let bottom = self.height - y - h;
        let (fill, paint) = match (grey, thickness > 0.0) {
            (Some(g), true) => (format!("{g:.2} g "), "B"),
            (Some(g), false) => (format!("{g:.2} g "), "f"),
            (None, _) => (String::new(), "S"),
        };
        self.draw(format_args!("{fill}0 G [] 0 d {thickness:.2} w {x:.2} {bottom:.2} {w:.2} {h:.2} re {paint}"));
    }

    /// A QR code with its quiet margin in a square of this size; nothing if the text is too long for one.
    pub(super) fn qr(&mut self, x: f32, y: f32, size: f32, text: &str) {
        let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Medium) else { return };
        let modules = code.size();
        let unit = size / (modules + 8) as f32;
        let mut path = String::from("0 g ");
        for row in 0..modules {
            let mut column = 0;
            while column < modules {
                let run = (column..modules).take_while(|c| code.get_module(*c, row)).count() as i32;
                if run > 0 {
                    let (left, bottom) = (x + unit * (column + 4) as f32, self.height - y - unit * (row + 5) as f32);
                    let _ = write!(path, "{left:.3} {bottom:.3} {:.3} {unit:.3} re ", unit * run as f32);
                }
                column += run + 1;
            }
        }
        self.draw(format_args!("{path}f"));
    }

    /// The bytes of the file.
    pub(super) fn finish(self) -> Vec<u8> {
        let mut out = Objects { bytes: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec(), offsets: Vec::new() };
        let first_page = 13;
        let kids: String = (0..self.pages.len()).map(|i| format!("{} 0 R ", first_page + 2 * i)).collect();
        out.object("<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>");
        out.object(&format!("<< /Type /Pages /Count {} /Kids [{kids}] >>", self.pages.len()));
        for (i, font) in self.fonts.iter().enumerate() {
            let base = 3 + 5 * i;
            write_font(&mut out, font, base);
        }
        // 3–7 and 8–12 are the fonts.
        let media = format!("[0 0 {:.0} {:.0}]", self.width, self.height);
        for (i, content) in self.pages.iter().enumerate() {
            out.object(&format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox {media} /Contents {} 0 R \
                 /Resources << /Font << /Font0 3 0 R /Font1 8 0 R >> >> >>",
                first_page + 2 * i + 1
            ));
            out.stream("", content.as_bytes());
        }
        let info = out.offsets.len() + 1;
        let title: String = self.title.encode_utf16().map(|u| format!("{u:04x}")).collect();
        out.object(&format!("<< /Title <feff{title}> /Producer (Outis) >>"));
        let start = out.bytes.len();
        let count = out.offsets.len() + 1;
        let mut tail = format!("xref\n0 {count}\n0000000000 65535 f \n");
        for offset in &out.offsets {
            let _ = writeln!(tail, "{offset:010} 00000 n ");
        }
        let _ = write!(tail, "trailer\n<< /Size {count} /Root 1 0 R /Info {info} 0 R >>\nstartxref\n{start}\n%%EOF\n");
        out.bytes.extend_from_slice(tail.as_bytes());
        out.bytes
    }
}

struct Objects {
    bytes: Vec<u8>,
    offsets: Vec<usize>,
}

impl Objects {
    fn object(&mut self, body: &str) {
        self.offsets.push(self.bytes.len());
        let number = self.offsets.len();
        self.bytes.extend_from_slice(format!("{number} 0 obj\n{body}\nendobj\n").as_bytes());
    }

    fn stream(&mut self, entries: &str, data: &[u8]) {
        self.offsets.push(self.bytes.len());
        let number = self.offsets.len();
        let head = format!("{number} 0 obj\n<< /Length {} {entries}>>\nstream\n", data.len());
        self.bytes.extend_from_slice(head.as_bytes());
        self.bytes.extend_from_slice(data);
        self.bytes.extend_from_slice(b"\nendstream\nendobj\n");
    }
}

/// Five objects: the composite font, its descendant, descriptor, file, and the map back to Unicode.
fn write_font(out: &mut Objects, font: &Font, base: usize) {
    let name = font.name;
    out.object(&format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H \
         /DescendantFonts [{} 0 R] /ToUnicode {} 0 R >>",
        base + 1,
        base + 4
    ));
    let mut by_glyph: Vec<_> = font.glyphs().iter().map(|(c, g, w)| (*g, *w, *c)).collect();
    by_glyph.sort_unstable();
    by_glyph.dedup_by_key(|g| g.0);
    let widths: String = by_glyph.iter().map(|(g, w, _)| format!("{g} [{w}] ")).collect();
    out.object(&format!(
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{name} /CIDToGIDMap /Identity /FontDescriptor {} 0 R \
         /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 600 /W [{widths}] >>",
        base + 2
    ));
    out.object(&format!(
        "<< /Type /FontDescriptor /FontName /{name} /Flags 4 /FontBBox [-1021 -463 1793 1232] /ItalicAngle 0 \
         /Ascent {} /Descent {} /CapHeight 729 /StemV 90 /FontFile2 {} 0 R >>",
        font.ascent,
        font.descent,
        base + 3
    ));
    out.stream(&format!("/Length1 {} ", font.data.len()), font.data);
    let mut map = String::from(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Back def /CMapType 2 def\n\
         1 begincodespacerange <0000> <ffff> endcodespacerange\n",
    );
    for chunk in by_glyph.chunks(100) {
        let _ = writeln!(map, "{} beginbfchar", chunk.len());
        for (glyph, _, c) in chunk {
            let _ = writeln!(map, "<{glyph:04x}> <{:04x}>", u32::from(*c));
        }
        map.push_str("endbfchar\n");
    }
    map.push_str("endcmap CMapName currentdict /CMap defineresource pop end end\n");
    out.stream("", map.as_bytes());
}
