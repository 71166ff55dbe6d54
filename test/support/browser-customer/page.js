/** The state of the customer's page. A test sets what the next click does. */
const customer = {
  events: [],
  tokenRequests: 0,
  tokens: undefined,
  handle: undefined,
  outcome: undefined,
  cancel: new AbortController(),
  choices: [],
  link: undefined,
  onClick: () => {},
  clickedAt: 0,

  /**
   * Makes the next click open the connect window.
   *
   * @param tokens what the token function returns in turn; null makes it throw, false makes it hang. Default: no such function
   */
  armWindow({ tokens, inContainer, svc = {}, ...options }) {
    customer.tokens = tokens;
    const sessionToken = async () => {
      const token = tokens[Math.min(customer.tokenRequests++, tokens.length - 1)];
      if (token === null) throw new Error('no session');
      if (token === false) await new Promise(() => {});
      return token;
    };
    customer.onClick = () => {
      customer.handle = new Svc(svc).openConnectUI({
        ...options,
        ...(tokens && { sessionToken }),
        ...(inContainer && { container: document.querySelector('#container') }),
        onEvent: (event) => customer.events.push(event),
      });
      customer.handle.promise.then((result) => {
        customer.outcome = result;
      });
    };
  },

  /** Makes the next click call the SDK, e.g. `{ method: 'auth', args: ['fake', {}] }`. @param choose the label of the choice to make */
  armCall({ svc = {}, method, args = [], choose, showsLink }) {
    customer.onClick = () => {
      const [first, options = {}] = args;
      const onChoice = (choices) => {
        customer.choices = choices;
        return choices.find(({ label }) => label === choose).id;
      };
      const onPopupBlocked = (link) => {
        customer.link = link;
        document.querySelector('#link').href = link;
      };
      const more = { signal: customer.cancel.signal, ...(choose && { onChoice }), ...(showsLink && { onPopupBlocked }) };
      new Svc(svc)[method](first, { ...options, ...more }).then(
        (result) => {
          customer.outcome = { result };
        },
        ({ name, code, message, fields, logId, retryable }) => {
          customer.outcome = { error: { name, code, message, fields, logId, retryable } };
        },
      );
    };
  },
};
globalThis.customer = customer;
document.querySelector('#open').addEventListener('click', () => {
  customer.clickedAt = Date.now();
  customer.onClick();
});
