import { examineScreens } from '../support/dashboard/examine-screens.ts';
import { DAILY_SCREENS } from '../support/dashboard/screens.ts';

examineScreens('the screens of home, integrations, connections and logs', DAILY_SCREENS);
