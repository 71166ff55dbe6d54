export { Callback } from './callback.tsx';
export { ConnectUi } from './connect-ui.tsx';
export { General } from './general.tsx';
export { Keys } from './keys.tsx';
export { Variables } from './variables.tsx';
