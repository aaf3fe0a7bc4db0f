//! Access to the page's server: only this machine's own page gets in, whatever a web site in the same browser attempts.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Shared;

/// Refuses requests that do not come from the program's own page (PAGE-2), and sets what the page may do (PAGE-4).
pub async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let mut response = match refusal(request.headers(), shared.port, request.uri().path()) {
        Some((status, why)) => (status, why).into_response(),
        None => next.run(request).await,
    };
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
         connect-src 'self' ws://127.0.0.1:{0} ws://localhost:{0}; manifest-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
        shared.port
    );
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

fn refusal(headers: &HeaderMap, port: u16, path: &str) -> Option<(StatusCode, &'static str)> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")];
    let is_ours = |host: &str| hosts.iter().any(|ours| ours.eq_ignore_ascii_case(host));
    if headers.get_all(header::HOST).iter().count() != 1 || !text(header::HOST).is_some_and(is_ours) {
        return Some((StatusCode::BAD_REQUEST, "this address is not served here\n"));
    }
    let origin = text(header::ORIGIN);
    if origin.is_some_and(|origin| !origin.strip_prefix("http://").is_some_and(is_ours)) {
        return Some((StatusCode::FORBIDDEN, "requests from other sites are refused\n"));
    }
    let site = text(HeaderName::from_static("sec-fetch-site"));
    // To a browser, the file that leads here belongs to a different site; its address cannot be guessed.
    let is_door = path == "/" || path.strip_prefix("/once/").is_some_and(|rest| !rest.contains('/'));
    let is_opening = is_door && text(HeaderName::from_static("sec-fetch-mode")) == Some("navigate");
    if matches!(site, Some("cross-site" | "same-site")) && !is_opening {
        return Some((StatusCode::FORBIDDEN, "requests from other sites are refused\n"));
    }
    None
}

/// Whether two strings are equal, in a time that depends only on their lengths.
pub fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |odd, (a, b)| odd | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_page_comes_in() {
        let ask = |pairs: &[(&'static str, &'static str)], path| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
            }
            refusal(&headers, 7457, path).map(|(status, _)| status.as_u16())
        };
        let good = ("host", "127.0.0.1:7457");
        assert_eq!(ask(&[good], "/ws"), None);
        assert_eq!(ask(&[("host", "LOCALHOST:7457"), ("origin", "http://127.0.0.1:7457")], "/ws"), None);
        for host in ["evil.example", "evil.example:7457", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:7457.evil.example"] {
            assert_eq!(ask(&[("host", host)], "/"), Some(400), "{host}");
        }
        assert_eq!(ask(&[], "/"), Some(400));
        assert_eq!(ask(&[good, ("host", "evil.example")], "/"), Some(400));
        for origin in ["http://evil.example", "null", "https://127.0.0.1:7457", "http://127.0.0.1:1"] {
            assert_eq!(ask(&[good, ("origin", origin)], "/ws"), Some(403), "{origin}");
        }
        assert_eq!(ask(&[good, ("sec-fetch-site", "cross-site")], "/ws"), Some(403));
        assert_eq!(ask(&[good, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")], "/"), None);
        assert_eq!(ask(&[good, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")], "/api/x"), Some(403));
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(same("abc", "abc") && !same("abc", "abd") && !same("abc", "ab") && !same("", "a"));
    }
}
