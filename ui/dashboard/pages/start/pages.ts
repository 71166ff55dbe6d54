export { Inbox } from './inbox.tsx';
export { QuickStart } from './quick-start.tsx';
