import { FLOW_FAILURES, UNNAMED } from '../../../connect/flows/flow-failure.ts';

/**
 * Every text of the pages outside the window: the result of an authorization, and the launch page. `{name}` is the service that is
 * connected. Other languages are files like this one, with the same keys and the same placeholders.
 */
export const en = {
  // Texts of failures, by their code. The API responds with the English ones, too, so they are in connect/flows/flow-failure.ts.
  ...FLOW_FAILURES,
  unnamed: UNNAMED,

  // Headings.
  connected: 'Connected',
  choosing: 'Almost done',
  attempt_over: 'This attempt is over',
  not_yet: 'Not connected yet',
  not_connected: 'Not connected',
  not_reconnected: 'Not connected again',
  interrupted: 'Interrupted',

  connected_tab: 'Your {name} account is connected. You can close this tab.',
  connected_window: 'Your {name} account is connected. You can close this window.',
  limited: 'This access may be for a limited time. You may be asked to connect again.',
  choose: 'Go back to the window where you started, and choose what to connect. Nothing is connected yet.',
  go_back: 'Go back to the first window.',
  for_whom: 'This was for {who}.',
  reference: 'Reference: {id}',
  close_window: 'Close window',

  // Texts for a flow that could not start.
  refused_expired: 'This window has expired. Ask for a new link. If you have connected already, you can close this tab.',
  refused_details: 'Some details are missing or have the wrong form. Go back and check them.',
  refused_unavailable: 'This account can’t be connected right now. Whoever sent you here needs to finish setting it up.',
  refused_unreachable: 'The other service gave no usable response. Try again in a moment.',
  refused_attempts: 'Too many attempts. Wait a minute.',
  refused_nothing: 'There is nothing at this address. Open the link that you were sent once more.',
  refused_too_long: 'This address is too long. Open the link that you were sent once more.',
  refused_response: 'The other service sent a response that can’t be read. Go back and try again.',
  refused_interrupted:
    'The service was interrupted, so it isn’t known whether this worked. Look in the app that sent you here, then try again.',
  refused_otherwise: 'Something went wrong on our side. Try again in a moment.',

  // Texts of the launch page.
  launch_opening: 'Opening…',
  launch_slow: 'Still here? Close this window and try again.',
  launch_over_title: 'Nothing to open',
  launch_over: 'This window is no longer needed',
  launch_over_lead: 'Go back to the first window, and start again there if nothing is connected.',
  launch_script: 'This page needs JavaScript. Allow it, then go back and start again.',
};

export type PageTexts = Readonly<Record<keyof typeof en, string>>;
