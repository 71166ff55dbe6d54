/** Who may import whom inside core/: a row names only rows above it, so the table is a proof that there is no cycle. */
// biome-ignore format: the rows are read as a table
const core = {
  kit:                [],
  contract:           ['kit'],
  config:             ['kit'],
  db:                 ['kit'],
  journal:            ['kit', 'contract', 'db'],
  tenants:            ['kit', 'config', 'db'],
  'auth-modes':       ['kit', 'contract'],
  catalogue:          ['kit', 'contract', 'auth-modes'],
  connections:        ['kit', 'contract', 'db', 'tenants', 'auth-modes', 'catalogue'],
  'webhook-delivery': ['kit', 'db', 'journal', 'tenants'],
  credentials:        ['kit', 'contract', 'db', 'journal', 'auth-modes', 'catalogue', 'connections', 'webhook-delivery'],
  proxy:              ['kit', 'contract', 'journal', 'auth-modes', 'catalogue', 'connections'],
  scripts:            ['kit', 'contract', 'db', 'journal', 'tenants', 'auth-modes', 'catalogue', 'connections', 'webhook-delivery',
                      'credentials', 'proxy'],
  connect:            ['kit', 'contract', 'db', 'journal', 'tenants', 'auth-modes', 'catalogue', 'connections', 'webhook-delivery',
                      'credentials', 'scripts'],
  'webhook-ingress':  ['kit', 'contract', 'db', 'journal', 'catalogue', 'connections', 'webhook-delivery', 'scripts'],
  server:             ['kit', 'db', 'journal', 'tenants', 'connections'],
  'demo-provider':    ['kit', 'db', 'tenants', 'catalogue', 'connections', 'webhook-ingress', 'server'],
  api:                ['kit', 'contract', 'db', 'journal', 'tenants', 'auth-modes', 'catalogue', 'connections', 'webhook-delivery',
                      'credentials', 'proxy', 'scripts', 'connect', 'webhook-ingress', 'server', 'demo-provider'],
  operate:            ['kit', 'config', 'db', 'journal', 'tenants', 'connections', 'webhook-delivery', 'credentials', 'scripts',
                      'connect', 'webhook-ingress', 'server', 'demo-provider'],
  cli:                ['kit', 'contract', 'config', 'db', 'journal', 'tenants', 'auth-modes', 'catalogue', 'connections',
                      'webhook-delivery', 'credentials', 'proxy', 'scripts', 'connect', 'webhook-ingress', 'server', 'operate'],
};

/** Files of the service that pages import, too: they use nothing of Node, and import only each other. */
const browserSafe = [
  '^core/(contract/(field-rules|compile-pattern|pasted)|kit/(color|exact-json|language|monogram)|catalogue/auth-words)\\.ts$',
  '^(core/scripts/(event|examples|source-fault)|scripts-runtime/(limits|script\\.d))\\.ts(\\?members)?$',
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
        pathNot: '^core/auth-modes/($1|building-blocks)/',
      },
    ),
    forbid(
      'only-the-table-imports-a-mode',
      'The rest of the service finds auth modes in the table.',
      { path: '^core/', pathNot: '^core/auth-modes/(index\\.ts$|[^/]+/)' },
      {
        path: '^core/auth-modes/[^/]+/',
        pathNot: '^core/auth-modes/building-blocks/',
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
      { path: '^core/', pathNot: '^core/scripts/script-runner\\.ts$' },
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
      'only-deploy-loads-rolldown',
      'A native module of 20 MB, which the service never needs.',
      { path: '^(core|plugins|scripts-runtime)/', pathNot: '^core/cli/scripts/bundle\\.ts$' },
      { path: 'node_modules/(@?rolldown|vite)/' },
    ),
    forbid(
      'only-traces-load-opentelemetry',
      'Its packages are optional, and loaded only while traces are on.',
      { path: '^(core|plugins|scripts-runtime|migrations)/', pathNot: '^core/operate/traces/' },
      { path: 'node_modules/@opentelemetry/' },
    ),
    forbid(
      'only-stores-load-knex',
      'SQL lives in core/db, *-store.ts and migrations.',
      { path: '^core/', pathNot: ['^core/db/', '-store\\.ts$'] },
      { path: 'node_modules/(knex|pg)/', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'only-server-and-api-load-koa',
      'Domain code never sees a request.',
      { path: '^core/', pathNot: '^core/(server|api)/' },
      { path: 'node_modules/(koa|koa-body|@koa)/' },
    ),
    // node:net and node:http also hold harmless names (isIP, STATUS_CODES): test/rules/sockets.test.ts looks at those.
    forbid(
      'only-kit-outbound-opens-sockets',
      'One module checks every address before it is dialled; the server only listens.',
      {
        path: '^(core|scripts-runtime|migrations)/',
        pathNot: '^core/(kit/(outbound[^/]*|address-guard|guarded-connect)|server/server)\\.ts$',
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
      'A page may import its own folder, ui/kit, what of the service is made for browsers, too, and Preact.',
      { path: '^ui/(?!pipeline/|docs/|build\\.ts$)([^/]+)/' },
      { pathNot: ['^ui/(kit|$1)/', ...browserSafe, 'node_modules/(preact/(?!compat)|@codemirror/|@lezer/)'] },
    ),
    forbid(
      'only-the-editor-loads-codemirror',
      'It is larger than all other pages together, and loaded where somebody writes a script.',
      { path: '^ui/', pathNot: '^ui/dashboard/editor/' },
      { path: 'node_modules/(@codemirror|@lezer)/' },
    ),
    forbid(
      'the-docs-stand-alone',
      'The service renders the pages; their script adds the search.',
      { path: '^ui/docs/' },
      { pathNot: ['^ui/docs/', 'node_modules/minisearch/'] },
    ),
    forbid(
      'the-build-stands-alone',
      'It runs before the service, and loads Vite and what renders guides only when there is something to build.',
      { path: '^ui/(pipeline/|build\\.ts$)', pathNot: '^ui/pipeline/(api|script)-types\\.ts$' },
      {
        pathNot: [
          '^ui/(pipeline/|build\\.ts$)',
          // The form of what it writes for the service: types only.
          '^core/server/docs/guide\\.ts$',
          'node_modules/(vite|marked|github-slugger)/',
        ],
        dependencyTypesNot: ['core'],
      },
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
