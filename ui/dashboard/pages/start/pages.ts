export { QuickStart } from './quick-start.tsx';
