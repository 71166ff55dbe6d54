import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Compiled modules are kept for the next start, beside the code itself: Node's own choice is a folder that others may write to.
// A release brings them from where it was built: they are found by paths relative to this folder.
// Not in TypeScript, since Node would load its compiler for this one file, and keep it.
enableCompileCache({ directory: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)), portable: true });
await import('./main.ts');
