// The script of a page with the client of another product. It opens a window of the provider, or a frame with the connect window.
// The messages that it receives are in `heard`; its settings are in the query.

const settings = Object.fromEntries(new URLSearchParams(location.search));
const { host, key, token, prefix } = settings;

globalThis.heard = { frames: [], messages: [] };

addEventListener('message', ({ data, origin, source }) => {
  if (origin !== new URL(host).origin) return;
  heard.messages.push(data);
  if (String(data.type).startsWith(`${prefix}_oauth_callback`))
    source.postMessage({ type: `${prefix}_oauth_callback_ack` }, origin);
  if (data.type === 'ready') source.postMessage({ type: 'session_token', sessionToken: token }, origin);
  if (data.type === 'close') document.querySelector('iframe').remove();
});

document.getElementById('auth').addEventListener('click', () => {
  const popup = window.open('', '_blank', 'width=500,height=600');
  const socket = new WebSocket(`${host.replace(/^http/, 'ws')}/`);
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(data);
    heard.frames.push(frame);
    if (frame.message_type !== 'connection_ack') return;
    const query = new URLSearchParams({ connect_session_token: token, ws_client_id: frame.ws_client_id });
    popup.location = `${host}/oauth/connect/${key}?${query}`;
  };
});

document.getElementById('open').addEventListener('click', () => {
  const frame = document.createElement('iframe');
  frame.id = 'connect-ui';
  frame.allow = 'clipboard-write';
  frame.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;border:0;z-index:9999';
  frame.src = `${host}/connect/?${new URLSearchParams({ apiURL: host, lang: 'en', theme: 'light' })}`;
  document.body.append(frame);
});
