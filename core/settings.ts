import packageFile from '../package.json' with { type: 'json' };
import { mayUseHttp } from './api/members/encrypted.ts';
import type { Config } from './config/schema.ts';
import type { Clock } from './kit/clock.ts';
import { FixedWindow } from './kit/fixed-window.ts';
import type { Outbound } from './kit/outbound.ts';
import type { ScriptLimits } from './scripts/script-runner.ts';
import type { FactorRules } from './tenants/members/factors/required.ts';
import { openOidc } from './tenants/members/oidc.ts';

/** Returns the rules by which members sign in to the dashboard. */
export function factorRulesOf({ SVC_REQUIRE_MFA, SVC_OIDC_ONLY }: Config): FactorRules {
  return { requiresFactor: SVC_REQUIRE_MFA, takesPasswords: !SVC_OIDC_ONLY };
}

/** Returns the settings that the parts of the service take from the configuration. */
export function settingsOf(config: Config, outbound: Outbound) {
  return {
    oidc: openOidc(config, outbound),
    baseUrl: config.SVC_BASE_URL,
    frameAncestors: config.SVC_FRAME_ANCESTORS,
    version: packageFile.version,
    securityContacts: config.SVC_SECURITY_CONTACT,
    outboundAllow: config.SVC_OUTBOUND_ALLOW,
    databaseKind: config.DATABASE_URL === undefined ? ('embedded' as const) : ('external' as const),
    mayUseHttp: mayUseHttp(config.SVC_BASE_URL, config.SVC_ALLOW_HTTP),
    ...factorRulesOf(config),
    refreshMarginSeconds: config.SVC_REFRESH_MARGIN_SECONDS,
    clientPrefix: config.SVC_CLIENT_PREFIX?.toLowerCase(),
    trustedProxies: config.SVC_TRUSTED_PROXIES,
    metricsToken: config.SVC_METRICS_TOKEN,
    failuresPerMinute: config.SVC_RATE_LIMIT_FAILURES_PER_MINUTE,
    webhookMaxBytes: config.SVC_WEBHOOK_MAX_BODY_MB * 1024 * 1024,
    logRetentionDays: config.SVC_LOG_RETENTION_DAYS,
    companyLogosFrom: config.SVC_COMPANY_LOGOS,
    logMaxBytes: config.SVC_LOG_MAX_MB * 1024 * 1024,
  };
}

export function scriptLimitsOf(config: Config): ScriptLimits {
  return {
    timeoutMs: config.SVC_SCRIPT_TIMEOUT_MS,
    memoryMb: config.SVC_SCRIPT_MEMORY_MB,
    workers: config.SVC_SCRIPT_WORKERS,
  };
}

/** Returns the limit of requests per API key; undefined when there is none. */
export function keyLimitOf({ SVC_RATE_LIMIT_PER_MINUTE: limit }: Config, clock: Clock): FixedWindow | undefined {
  return limit === 0 ? undefined : new FixedWindow(limit, () => clock.now().getTime());
}
