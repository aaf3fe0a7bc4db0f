// The entry (PAGE-11): stores the token of this run and goes to the page. No address contains it.

const token = document.querySelector('meta[name="outis-token"]')?.content || '';
if (/^[0-9a-f]{32}$/.test(token)) localStorage.setItem('outis.token', token);
location.replace('/');
