/** File for the types of the sandbox's globals. It lies in a dot folder, which the compilers of other projects ignore. */
export const GLOBALS_FILE = '.sandbox/globals.d.ts';

/** Compiler options for editors and `tsc`: only what the sandbox provides is visible, and only erasable syntax is allowed. */
export const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2024",
    "lib": ["es2024"],
    "types": [],
    "module": "preserve",
    "moduleResolution": "bundler",
    "allowImportingTsExtensions": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "resolveJsonModule": true,
    "skipLibCheck": true,
    "strict": true,
    "noEmit": true
  },
  "include": ["**/*", "${GLOBALS_FILE}"]
}
`;

/** An example event for `scripts test … --payload`. */
export const EXAMPLE_EVENT = `{
  "type": "example.created",
  "payload": { "id": 1 },
  "headers": {},
  "verified": true
}
`;
