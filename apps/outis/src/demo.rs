//! demo
use crate::exit::Failure;
use std::io::Write;
/// x
pub fn run(_out: &mut impl Write) -> Result<(), Failure> {
    Ok(())
}
