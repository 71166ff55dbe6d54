import { examineScreens } from '../support/dashboard/examine-screens.ts';
import { OTHER_SCREENS } from '../support/dashboard/screens.ts';

examineScreens('the screens of signing in, the account, settings, webhooks and scripts', OTHER_SCREENS);
