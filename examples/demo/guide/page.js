const find = (selector) => document.querySelector(selector);
/** The answers of the steps that were run here, by name. */
const answers = new Map();

async function show() {
  const { steps, passwordCommand } = await call('guide');
  find('#password').textContent = passwordCommand;
  if (!find('#password-buttons').hasChildNodes()) find('#password-buttons').append(copyButton('Copy', passwordCommand));
  for (const step of steps) showStep(step);
}

/** Draws a step, if there is something new: a button that has the focus stays. */
function showStep({ name, title, text, command }) {
  const answer = answers.get(name);
  const now = JSON.stringify([command, answer]);
  const old = document.getElementById(name);
  if (old?.dataset.now === now) return;
  const section = Object.assign(document.createElement('section'), { ariaLabel: title });
  section.append(element('h2', title), element('p', text));
  if (command === null) section.append(element('p', 'The command appears here when an account is connected.', 'soft'));
  else
    section.append(
      scrolled(command),
      buttons(
        copyButton('Copy', command),
        button('Run', () => run(name)),
      ),
    );
  if (answer) section.append(...answerParts(answer));
  const item = Object.assign(document.createElement('li'), { id: name });
  item.dataset.now = now;
  item.append(section);
  if (old === null) return find('#steps').append(item);
  const hadFocus = old.contains(document.activeElement) ? document.activeElement.textContent : undefined;
  old.replaceWith(item);
  [...item.querySelectorAll('button')].find(({ textContent }) => textContent === hadFocus)?.focus();
}

function answerParts({ status, ms, body }) {
  const link = body?.data?.connect_link;
  const parts = [element('p', `${status} in ${ms} ms`, status < 400 ? 'good' : 'bad'), scrolled(JSON.stringify(body, null, 2))];
  if (link) parts.push(Object.assign(element('a', 'Open this link', 'link'), { href: link, target: '_blank' }));
  return parts;
}

async function run(name) {
  answers.set(name, await call(`run/${name}`, { method: 'POST' }));
  await show();
}

function scrolled(text) {
  return Object.assign(element('pre', text), { tabIndex: 0 });
}

function buttons(...items) {
  const row = element('div', '', 'buttons');
  row.append(...items);
  return row;
}

function copyButton(name, text) {
  return button(name, async () => {
    await navigator.clipboard.writeText(text);
    find('#status').textContent = 'Copied.';
  });
}

function button(name, onclick) {
  return Object.assign(element('button', name), { type: 'button', onclick });
}

function element(name, textContent, className = '') {
  return Object.assign(document.createElement(name), { textContent, className });
}

async function call(path, init) {
  const response = await fetch(path, init);
  find('#status').textContent = response.ok ? '' : `That failed (${response.status}). Is the demo still running?`;
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

// An account is connected in another tab, so the commands may be new when this one is seen again.
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && show());
addEventListener('focus', show);
show();
