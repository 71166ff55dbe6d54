export { Endpoints } from './endpoints.tsx';
export { Inbox } from './inbox.tsx';
export { Moved } from './moved.tsx';
export { Received } from './received.tsx';
export { Sent } from './sent.tsx';
export { SentWebhook } from './webhook.tsx';
