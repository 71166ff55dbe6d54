import { element } from './element.js';

/** Well-known forms, as a help while typing; the service checks all of them itself. */
const FORMATS = {
  hostname: { fits: (text) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text), say: 'Enter an address such as acme.example.com.' },
  uri: { fits: (text) => /^https?:/.test(text) && URL.canParse(text), say: 'Enter a full address that starts with https://.' },
  uuid: {
    fits: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
    say: 'Enter the ID as 8-4-4-4-12 characters.',
  },
  email: { fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text), say: 'Enter an e-mail address.' },
};

let made = 0;

/**
 * The inputs that a provider's definition asks for, in its order, without those that the backend has fixed.
 *
 * @param specs `connection_config` of the definition, or the credentials of its mode
 * @param presets names of the fixed fields
 */
export function createFields(specs = {}, presets = []) {
  const fields = Object.entries(specs)
    .filter(([name, spec]) => !spec.hidden && !spec.automated && !presets.includes(name))
    .sort(([, one], [, other]) => (one.order ?? Infinity) - (other.order ?? Infinity) || 0)
    .map(([name, spec]) => createField(name, spec));
  const asked = () => fields.filter(({ spec }) => isAsked(spec, fields));
  const arrange = () => {
    const now = asked();
    for (const field of fields) {
      field.node.hidden = !now.includes(field);
      field.hint.textContent = [field.spec.description, field.spec.warnings?.[valueIn(field)]].filter(Boolean).join(' ');
    }
  };
  for (const { input } of fields) input.addEventListener('change', arrange);
  arrange();
  return {
    nodes: fields.map(({ node }) => node),
    /** Shows what is wrong and goes to the first such field. Returns whether all is well. */
    check() {
      const wrong = asked().filter((field) => !showFault(field));
      wrong[0]?.input.focus();
      return wrong.length === 0;
    },
    /** Name and value of what was filled in. */
    values: () =>
      asked()
        .map((field) => [field.spec.name, valueIn(field)])
        .filter(([, value]) => value !== ''),
  };
}

function createField(name, given) {
  made += 1;
  const spec = { ...given, name };
  const id = `field-${made}`;
  const label = `${spec.title}${spec.optional ? ' (optional)' : ''}`;
  const input = createInput(spec, { id, 'aria-describedby': `${id}-hint ${id}-fault` });
  const hint = element('small', { id: `${id}-hint` });
  const fault = element('small', { id: `${id}-fault`, className: 'fault' });
  const affixed = element('div', { className: 'affixed' }, spec.prefix ?? '', input, spec.suffix ?? '');
  const node = element('div', { className: 'field' }, element('label', { htmlFor: id }, label), affixed, hint, fault);
  return { spec, input, hint, fault, node };
}

function createInput(spec, attributes) {
  if (spec.enum !== undefined) {
    const options = spec.enum.map((value) => element('option', { value, selected: value === spec.default_value }, value));
    return element('select', { attributes }, ...options);
  }
  const input = element('input', {
    attributes: { ...attributes, autocomplete: 'off', spellcheck: 'false' },
    type: spec.secret ? 'password' : 'text',
    placeholder: spec.example ?? '',
    value: spec.default_value ?? '',
  });
  input.addEventListener('change', () => {
    input.value = tidy(spec, input.value);
  });
  return input;
}

/** People paste the whole address where only a host is asked for. */
function tidy({ format, suffix = '', verbatim }, text) {
  const value = verbatim ? text : text.trim();
  if (format !== 'hostname') return value;
  const host = /^https?:\/\//i.test(value) && URL.canParse(value) ? new URL(value).host : value;
  return suffix !== '' && host.endsWith(suffix) ? host.slice(0, -suffix.length) : host;
}

function isAsked({ visible_when: condition }, fields) {
  const other = fields.find(({ spec }) => spec.name === condition?.field);
  return condition === undefined || other === undefined || valueIn(other) === condition.equals;
}

function showFault({ spec, input, fault }) {
  fault.textContent = faultOf(spec, tidy(spec, input.value));
  input.setAttribute('aria-invalid', String(fault.textContent !== ''));
  return fault.textContent === '';
}

function faultOf(spec, value) {
  if (value === '') return spec.optional || spec.default_value !== undefined ? '' : `Enter ${spec.title}.`;
  if (spec.format !== undefined && !FORMATS[spec.format].fits(value)) return FORMATS[spec.format].say;
  if (spec.pattern === undefined || new RegExp(`^(?:${spec.pattern})$`, 'u').test(value)) return '';
  const example = spec.example === undefined ? '' : ` Example: ${spec.example}`;
  return spec.pattern_message ?? `${spec.title} has the wrong format.${example}`;
}

function valueIn({ spec, input }) {
  return tidy(spec, input.value);
}
