//! Writes `spec/vectors`: `cargo run -p outis-crypto --features testing --example vectors`.
#![expect(clippy::disallowed_methods, reason = "a tool of the developer, not a part of the crate")]

#[expect(dead_code, reason = "shared with the test suite, which uses the rest")]
#[path = "../tests/suite"]
mod suite {
    pub mod catalogue;
    pub mod vectors;
}

fn main() -> std::io::Result<()> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors");
    std::fs::create_dir_all(&folder)?;
    for (name, text) in suite::vectors::files() {
        println!("{:>8} bytes  {name}", text.len());
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}
