import { Svc } from './svc.ts';

// For pages without a bundler: `<script src="{base_url}/sdk/v1.js">`, then `new Svc()`.
Object.assign(globalThis, { Svc });
