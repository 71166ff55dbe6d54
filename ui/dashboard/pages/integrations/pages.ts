export { Catalogue } from './catalogue.tsx';
export { Configure } from './configure.tsx';
export { Integration } from './integration.tsx';
export { Integrations } from './integrations.tsx';
