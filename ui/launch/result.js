// Runs on the page that ends a visit to the provider in a window of its own.

const CLOSE_MS = 300;

const button = document.getElementById('close');
button.hidden = false;
button.addEventListener('click', () => window.close());
if ('done' in button.dataset) setTimeout(() => window.close(), CLOSE_MS);
