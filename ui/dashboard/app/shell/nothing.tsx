import { Empty } from '../../components/empty.tsx';
import { Page } from '../../components/page.tsx';
import { useMe } from '../context.ts';
import { startOf } from '../navigation.ts';
import { t } from '../texts/en.ts';

/** The page for a URL that belongs to no page, or whose object has been deleted. */
export function Nothing() {
  const [first] = useMe().environments;
  return (
    <Page title={t('not_found_heading')}>
      <div class="card">
        <Empty title={t('not_found_lead')}>
          {first && (
            <a class="btn" href={startOf(first.name)}>
              {t('not_found_back')}
            </a>
          )}
        </Empty>
      </div>
    </Page>
  );
}
