import { migrate } from '../../../../core/db/migrate.ts';
import { armKillPoint } from '../../../../core/kit/kill-point.ts';
import { createLogger } from '../../../../core/kit/logger.ts';

const { url, directory, faultAt }: { url: string; directory: string; faultAt?: string } = JSON.parse(process.argv[2] ?? '');
if (faultAt) armKillPoint(faultAt);
await migrate({ url, directory, log: createLogger({ level: 'info', write: (line) => process.stdout.write(line) }) });
