//! Days written as YYYY-MM-DD, in UTC.

/// Milliseconds in a day.
pub const DAY: u64 = 24 * 3_600_000;

const LAST_YEAR: u64 = 9_999;

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_of_year(year: u64) -> u64 {
    365 + u64::from(is_leap(year))
}

fn days_of_month(year: u64, month: u64) -> u64 {
    match month {
        2 => 28 + u64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The day of a time given in milliseconds since 1970.
pub fn day(at: u64) -> String {
    let (mut left, mut year, mut month) = (at / DAY, 1970, 1);
    while left >= days_of_year(year) && year < LAST_YEAR {
        left -= days_of_year(year);
        year += 1;
    }
    while month < 12 && left >= days_of_month(year, month) {
        left -= days_of_month(year, month);
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", left.min(30) + 1)
}

/// A time given in milliseconds since 1970, to the minute.
pub fn minute(at: u64) -> String {
    let minutes = at % DAY / 60_000;
    format!("{} {:02}:{:02} UTC", day(at), minutes / 60, minutes % 60)
}

/// The start of a day, in milliseconds since 1970.
pub fn begins(text: &str) -> Option<u64> {
    let numbers = text.trim().split('-').map(|part| part.parse().ok()).collect::<Option<Vec<u64>>>()?;
    let [year, month, day] = numbers[..] else { return None };
    let is_day = (1970..=LAST_YEAR).contains(&year) && (1..=12).contains(&month);
    if !is_day || day == 0 || day > days_of_month(year, month) {
        return None;
    }
    let years: u64 = (1970..year).map(days_of_year).sum();
    let months: u64 = (1..month).map(|month| days_of_month(year, month)).sum();
    Some((years + months + day - 1) * DAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (at, text) in [
            (0, "1970-01-01"),
            (951_782_400_000, "2000-02-29"),
            (1_709_251_199_999, "2024-02-29"),
            (1_709_251_200_000, "2024-03-01"),
            (4_107_542_400_000, "2100-03-01"),
            (1_735_689_599_999, "2024-12-31"),
        ] {
            assert_eq!(day(at), text);
            assert_eq!(begins(text), Some(at / DAY * DAY));
        }
        for days in (0..80_000).step_by(7) {
            assert_eq!(begins(&day(days * DAY)), Some(days * DAY));
        }
        assert_eq!(day(u64::MAX), "9999-12-31", "whatever somebody says");
        assert_eq!(minute(951_868_799_999), "2000-02-29 23:59 UTC");
        for bad in ["", "2024", "2024-13-01", "2023-02-29", "1969-12-31", "2024-00-10", "2024-1-0", "soon", "1-2-3-4"] {
            assert_eq!(begins(bad), None, "{bad}");
        }
    }
}
