import type { Reply } from '../../app/replies.ts';
import { durationText } from '../../components/times.ts';
import { causeWords } from './cause-words.ts';
import { logLine } from './log-line.ts';
import { t } from './texts.ts';

type Tested = Reply<'testScript'>['data'];

/** Shows the calls, the log and the result of a test run. */
export function TestReport({ error, cause, calls, log, result }: Tested) {
  return (
    <>
      {(error ?? cause) && <p class="err">{error ?? causeWords(cause)}</p>}
      <Lines title={t('test_calls')} none={t('test_no_calls')} lines={calls.map(callLine)} />
      <Lines title={t('test_log')} none={t('test_no_log')} lines={log.map(logLine)} />
      {result !== null && <Lines title={t('test_result')} none="" lines={[JSON.stringify(result, null, 2)]} />}
    </>
  );
}

function Lines({ title, none, lines }: { readonly title: string; readonly none: string; readonly lines: readonly string[] }) {
  return (
    <section class="stack tight" aria-label={title}>
      <h3>{title}</h3>
      {lines.length === 0 ? (
        <p class="soft">{none}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also without a mouse
        <pre class="code" tabIndex={0}>
          {lines.join('\n')}
        </pre>
      )}
    </section>
  );
}

function callLine({ name, method, endpoint, status, metadata, duration_ms: ms, error }: Tested['calls'][number]): string {
  const what = method === undefined ? name : `${method} ${endpoint}`;
  const written = metadata === undefined ? '' : ` ${JSON.stringify(metadata)}`;
  const outcome = error ?? (typeof status === 'number' ? status : '');
  return `${what}${written}  ${outcome}  ${durationText(ms)}`;
}
