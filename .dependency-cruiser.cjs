/** Who may import whom inside core/: a row names only rows above it, so the table is a proof that there is no cycle. */
// biome-ignore format: the rows are read as a table
const core = {
  kit:                [],
  contract:           ['kit'],
  config:             [],
  db:                 ['kit'],
  audit:              ['kit', 'db'],
  environments:       ['kit', 'db'],
  members:            ['kit', 'config', 'db', 'environments'],
  activity:           ['kit', 'db', 'audit'],
  'auth-modes':       ['kit', 'contract'],
  catalogue:          ['kit', 'contract', 'auth-modes'],
  'plugin-host':      ['kit', 'contract', 'auth-modes', 'catalogue'],
  integrations:       ['kit', 'db', 'contract', 'environments', 'auth-modes', 'catalogue'],
  connections:        ['kit', 'db', 'contract', 'environments', 'auth-modes', 'integrations'],
  'company-logos':    ['kit'],
  'connect-sessions': ['kit', 'db', 'contract', 'environments', 'integrations', 'connections'],
  'webhook-delivery': ['kit', 'db', 'environments', 'activity'],
  credentials:        ['kit', 'db', 'contract', 'activity', 'auth-modes', 'plugin-host', 'integrations', 'connections',
                      'webhook-delivery'],
  proxy:              ['kit', 'contract', 'activity', 'auth-modes', 'plugin-host', 'integrations', 'connections'],
  scripts:            ['kit', 'db', 'audit', 'contract', 'environments', 'activity', 'auth-modes', 'catalogue', 'plugin-host',
                      'integrations', 'connections', 'webhook-delivery', 'credentials', 'proxy'],
  lifecycle:          ['kit', 'db', 'audit', 'contract', 'environments', 'activity', 'auth-modes', 'plugin-host', 'integrations',
                      'connections', 'connect-sessions', 'webhook-delivery', 'credentials', 'scripts'],
  authorization:      ['environments', 'catalogue', 'webhook-delivery', 'kit', 'db', 'contract', 'activity',
                      'auth-modes', 'plugin-host', 'integrations', 'connections', 'connect-sessions', 'lifecycle'],
  'webhook-ingress':  ['kit', 'db', 'contract', 'activity', 'plugin-host', 'integrations', 'connections',
                      'webhook-delivery', 'scripts'],
  http:               ['kit', 'environments', 'activity', 'members', 'connect-sessions'],
  idempotency:        ['kit', 'db', 'http'],
  sandbox:            ['kit', 'db', 'catalogue', 'environments', 'integrations', 'webhook-ingress', 'http'],
  rehearsal:          ['kit', 'contract', 'auth-modes', 'catalogue', 'plugin-host', 'integrations', 'connections', 'credentials',
                      'proxy', 'lifecycle', 'authorization', 'webhook-ingress', 'http'],
  openapi:            ['http', 'members'],
  api:                ['db', 'audit', 'openapi', 'kit', 'contract', 'environments', 'members', 'activity', 'auth-modes', 'catalogue',
                      'integrations', 'connections', 'company-logos', 'connect-sessions', 'webhook-delivery', 'credentials', 'proxy',
                      'scripts', 'lifecycle', 'authorization', 'webhook-ingress', 'http', 'sandbox'],
  keys:               ['kit', 'members', 'db', 'audit', 'environments', 'integrations', 'connections', 'connect-sessions', 'webhook-delivery', 'scripts',
                      'authorization', 'webhook-ingress', 'idempotency', 'sandbox'],
  transfer:           ['kit', 'db', 'environments', 'activity', 'integrations', 'keys', 'credentials'],
  process:            ['kit', 'config', 'db', 'environments', 'activity', 'audit', 'members', 'connections', 'webhook-delivery', 'credentials',
                      'scripts', 'lifecycle', 'authorization'],
  cli:                ['integrations', 'connections', 'kit', 'contract', 'config', 'db', 'audit', 'environments', 'members', 'activity', 'process',
                      'webhook-delivery', 'catalogue', 'plugin-host', 'scripts', 'keys', 'transfer', 'rehearsal'],
};

/** Files of the core that pages import, too: they use nothing of Node, and import only each other. */
const browserSafe = [
  '^core/(contract/(field-rules|compile-pattern|pasted)|kit/(color|exact-json|language)|catalogue/auth-words)\\.ts$',
];

const layer = ([name, allowed]) => ({
  name: `core-${name}`,
  severity: 'error',
  from: { path: `^core/${name}/` },
  to: {
    path: '^core/',
    pathNot: [
      `^core/(${[name, ...allowed].join('|')})/`,
      '^core/error(s|-meanings)\\.ts$',
      ...(name === 'cli' ? ['^core/(main|services)\\.ts$'] : []),
    ],
  },
});

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    ...Object.entries(core).map(layer),
    forbid('no-cycles', 'Files form a tree of reasons, not a knot.', {}, { circular: true }),
    forbid(
      'modes-do-not-import-each-other',
      'Code that auth modes share is outside their folders.',
      { path: '^core/auth-modes/([^/]+)/' },
      {
        path: '^core/auth-modes/[^/]+/',
        pathNot: '^core/auth-modes/($1|token-endpoint|oauth1-signature|sign-in|signed-jwt|installed-app|server-metadata)/',
      },
    ),
    forbid(
      'only-the-table-imports-a-mode',
      'The rest of the service finds auth modes in the table.',
      { path: '^core/', pathNot: '^core/auth-modes/(index\\.ts$|[^/]+/)' },
      {
        path: '^core/auth-modes/[^/]+/',
        pathNot: '^core/auth-modes/(token-endpoint|oauth1-signature|sign-in|signed-jwt|installed-app|server-metadata)/',
      },
    ),
    forbid(
      'core-never-names-a-plugin',
      'Plugins and providers are found on disk, never imported by name.',
      { path: '^(core|scripts-runtime)/' },
      { path: '^(plugins|providers)/' },
    ),
    forbid(
      'plugin-sees-only-the-contract',
      'A plugin may import its own folder, core/contract and node: built-ins.',
      { path: '^plugins/([^/]+)/', pathNot: '\\.test\\.ts$' },
      { pathNot: ['^plugins/$1/', '^core/contract/'], dependencyTypesNot: ['core'] },
    ),
    forbid(
      'plugin-uses-no-io-builtin',
      'Plugins reach the network only through ctx.fetch.',
      { path: '^plugins/', pathNot: '\\.test\\.ts$' },
      { path: '^(node:)?(fs|net|tls|http|https|http2|dgram|dns|child_process|worker_threads|vm|cluster)(/|$)' },
    ),
    forbid(
      'providers-hold-data-only',
      'A provider is JSON and a logo; code belongs in a plugin. A case of its webhooks is for the tests.',
      { path: '^providers/', pathNot: '(/webhook-case|\\.test)\\.ts$' },
      { path: '.' },
    ),
    forbid(
      'runtime-stands-alone',
      'The sandbox must not reach into the service.',
      { path: '^scripts-runtime/' },
      { path: '^(core|plugins|providers|migrations|test)/' },
    ),
    forbid(
      'only-the-runner-loads-the-sandbox',
      'One pool in a process, and one file that decides what a script is given.',
      { path: '^core/', pathNot: '^core/scripts/runner\\.ts$' },
      // What is left out is the error that host functions throw.
      { path: '^scripts-runtime/', pathNot: '^scripts-runtime/script-run\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'only-the-child-loads-isolated-vm',
      'A crash in V8 must end the child, not the service.',
      { path: '.', pathNot: ['^scripts-runtime/child\\.ts$', '^bench/programs/bare-isolate\\.ts$'] },
      { path: 'node_modules/isolated-vm/' },
    ),
    // The folder's name is the alias; the package in it is http-proxy-3.
    forbid(
      'only-upgrade-loads-http-proxy',
      'One file knows the quirks of http-proxy.',
      { path: '.', pathNot: '^core/proxy/upgrade\\.ts$' },
      { path: 'node_modules/http-proxy(-3)?/' },
    ),
    forbid(
      'only-stores-load-knex',
      'SQL lives in core/db, *-store.ts and migrations.',
      { path: '^core/', pathNot: ['^core/db/', '-store\\.ts$'] },
      { path: 'node_modules/(knex|pg)/', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'only-http-and-api-load-koa',
      'Domain code never sees a request.',
      { path: '^core/', pathNot: ['^core/(http|api|openapi)/', '^core/app\\.ts$'] },
      { path: 'node_modules/(koa|koa-body|@koa)/' },
    ),
    // node:net and node:http also hold harmless names (isIP, STATUS_CODES): test/rules/sockets.test.ts looks at those.
    forbid(
      'only-kit-outbound-opens-sockets',
      'One module checks every address before it is dialled; the server only listens.',
      {
        path: '^(core|scripts-runtime|migrations)/',
        pathNot: '^core/(kit/(outbound[^/]*|address-guard|guarded-connect)|http/server)\\.ts$',
      },
      { path: ['^(node:)?(https|http2|tls|dns|dgram)(/|$)', 'node_modules/undici/'], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'migrations-are-frozen',
      'A migration must not change when the code does.',
      { path: '^migrations/' },
      { path: '^(core|plugins|scripts-runtime)/' },
    ),
    forbid(
      'nothing-imports-tests',
      'Test code stays in tests.',
      { path: '^(core|plugins|scripts-runtime|migrations)/', pathNot: '\\.test\\.ts$' },
      { path: '^test/' },
    ),
    forbid(
      'client-stands-alone',
      'What a backend installs holds nothing of the service and needs no package; with one it can bundle scripts.',
      { path: '^sdk/[^/]+/src/' },
      { pathNot: ['^sdk/[^/]+/src/', '(^|/)rolldown(/|$)'], dependencyTypesNot: ['core'] },
    ),
    forbid(
      'service-needs-no-client',
      'Clients and pages are made of the service, not the other way round.',
      { path: '^(core|plugins|providers|scripts-runtime|migrations)/', pathNot: '\\.test\\.ts$' },
      { path: '^(sdk|ui)/' },
    ),
    forbid(
      'the-example-is-an-application',
      'It shows what others can do, who have only the client.',
      { path: '^examples/app/' },
      { pathNot: ['^examples/app/', '^sdk/node/src/svc\\.ts$'], dependencyTypesNot: ['core'] },
    ),
    forbid(
      'browser-client-stands-alone',
      'What pages of others load holds nothing but itself.',
      { path: '^sdk/frontend/src/' },
      { pathNot: '^sdk/frontend/src/' },
    ),
    forbid(
      'pages-stand-on-what-they-share',
      'A page may import its own folder, ui/shared, what of the core is made for browsers, too, and Preact.',
      { path: '^ui/(?!pipeline/|build\\.ts$)([^/]+)/' },
      { pathNot: ['^ui/(shared|$1)/', ...browserSafe, 'node_modules/preact/(?!compat)'] },
    ),
    forbid(
      'the-build-stands-alone',
      'It runs before the service, and loads Vite only when there is something to build.',
      { path: '^ui/(pipeline/|build\\.ts$)', pathNot: '^ui/pipeline/api-types\\.ts$' },
      { pathNot: ['^ui/(pipeline/|build\\.ts$)', 'node_modules/vite/'], dependencyTypesNot: ['core'] },
    ),
    forbid('resolvable', 'An import that does not resolve is a typo.', {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // What is built of clients and pages; style sheets.
    exclude: { path: ['^sdk/[^/]+/dist/', '^ui/dist/', '\\.css$'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
