import { translatorOf } from './translate.ts';

/** The texts of generated fields (`kit/fields`), worded for developers. */
const texts = {
  optional: '(optional)',
  show: 'Show',
  hide: 'Hide',
  show_value: 'Show {title}',
  choose: 'Choose…',
  load_file: 'Load from file…',
  file_too_big: 'This file is too large. Use one of at most 16 KB.',
  file_unreadable: 'This file could not be read.',
  field_help: 'Where do I find this?',
  kept_host: 'We kept {value}.',
  opens_new_tab: 'opens in a new tab',
  summary: 'Check these details:',
  fault_required: 'Enter {title}.',
  fault_choose: 'Choose {title}.',
  fault_hostname: 'Enter an address such as acme.example.com.',
  fault_uri: 'Enter a full address that starts with https://.',
  fault_uuid: 'Enter the ID as 8-4-4-4-12 characters.',
  fault_email: 'Enter an e-mail address.',
  fault_header_name: 'Enter the name of a header, such as X-Api-Key.',
  fault_pattern: '{title} has the wrong format.',
  fault_pattern_example: '{title} has the wrong format. Example: {example}',
  fault_too_big: 'Use at most {count} characters.',
  hint_pattern: 'This does not look like {title}. Check it once more.',
  hint_pattern_example: 'This does not look like {title}. Example: {example}',
};

export const fieldText = translatorOf(texts);
