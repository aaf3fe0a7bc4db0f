//! Strings and lists as bytes, with limits that are checked before anything is allocated.

use outis_table::codec::{DecodeError, Malformed, Reader};

/// Appends a length of two bytes and the bytes.
pub fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    debug_assert!(bytes.len() <= usize::from(u16::MAX));
    out.extend_from_slice(&(bytes.len() as u16).to_le_bytes());
    out.extend_from_slice(bytes);
}

/// Reads what [`put`] wrote, at most `most` bytes of it.
pub fn take<'a>(reader: &mut Reader<'a>, field: &'static str, most: u16) -> Result<&'a [u8], DecodeError> {
    let length = reader.count(field, 0, most)?;
    reader.bytes(field, length)
}

/// Reads a string of at most `most` bytes.
pub fn text(reader: &mut Reader<'_>, field: &'static str, most: u16) -> Result<String, DecodeError> {
    let bytes = take(reader, field, most)?;
    let text = std::str::from_utf8(bytes).map_err(|_| reader.error(field, Malformed::Tag(0)))?;
    Ok(text.to_owned())
}

/// Appends a length of four bytes and the bytes.
pub fn put_long(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    out.extend_from_slice(bytes);
}

/// Reads what [`put_long`] wrote, at most `most` bytes of it.
pub fn take_long<'a>(reader: &mut Reader<'a>, field: &'static str, most: usize) -> Result<&'a [u8], DecodeError> {
    let length = reader.u32(field)? as usize;
    if length > most {
        let fault = Malformed::Count { got: length as u64, min: 0, max: most as u64 };
        return Err(reader.error(field, fault));
    }
    reader.bytes(field, length)
}

/// Appends `0`, or `1` and the value.
pub fn put_option<T>(out: &mut Vec<u8>, value: Option<T>, put: impl FnOnce(T, &mut Vec<u8>)) {
    match value {
        None => out.push(0),
        Some(value) => {
            out.push(1);
            put(value, out);
        }
    }
}

/// Reads what [`put_option`] wrote.
pub fn option<'a, T>(
    reader: &mut Reader<'a>,
    field: &'static str,
    read: impl FnOnce(&mut Reader<'a>) -> Result<T, DecodeError>,
) -> Result<Option<T>, DecodeError> {
    match reader.u8(field)? {
        0 => Ok(None),
        1 => read(reader).map(Some),
        tag => Err(reader.error(field, Malformed::Tag(tag))),
    }
}

/// Appends a count of two bytes and the items.
pub fn put_list<T>(out: &mut Vec<u8>, items: &[T], put: impl Fn(&T, &mut Vec<u8>)) {
    debug_assert!(items.len() <= usize::from(u16::MAX));
    out.extend_from_slice(&(items.len() as u16).to_le_bytes());
    for item in items {
        put(item, out);
    }
}

/// Reads what [`put_list`] wrote: at most `most` items of at least `least` bytes each. It allocates nothing for items
/// that the remaining bytes cannot hold.
pub fn list<'a, T>(
    reader: &mut Reader<'a>,
    field: &'static str,
    most: u16,
    least: usize,
    read: impl Fn(&mut Reader<'a>) -> Result<T, DecodeError>,
) -> Result<Vec<T>, DecodeError> {
    let count = reader.count(field, 0, most)?;
    let needed = count * least;
    if needed > reader.left() {
        return Err(reader.error(field, Malformed::Truncated(needed - reader.left())));
    }
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        items.push(read(reader)?);
    }
    Ok(items)
}

/// Lower-case hexadecimal digits, for keys of a store.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |n: u8| char::from_digit(u32::from(n & 15), 16).expect("below sixteen");
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}
