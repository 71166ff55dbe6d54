// Written by `npm run schema` from the OpenAPI document of the service.

export interface components {
    schemas: {
        ApiKey: {
            /** Format: date-time */
            created_at: string;
            /** @description null: the key does not expire */
            expires_at: string | null;
            id: number;
            /** @description lags by a few seconds; null: never used */
            last_used_at: string | null;
            name: string;
            scopes: string[];
        };
        ApiKeyRequest: {
            display_name: string;
            environment_id: number;
            /**
             * Format: date-time
             * @description when the key expires; default: never
             */
            expires_at?: string;
            /** @description what the key may do; default: everything in the environment */
            scopes?: ("environment:*" | "environment:integrations:*" | "environment:integrations:list" | "environment:integrations:read" | "environment:integrations:read_credentials" | "environment:integrations:create" | "environment:integrations:update" | "environment:integrations:delete" | "environment:connections:*" | "environment:connections:list" | "environment:connections:read" | "environment:connections:read_credentials" | "environment:connections:create" | "environment:connections:update" | "environment:connections:delete" | "environment:connect_sessions:write" | "environment:proxy" | "environment:proxy:override" | "environment:scripts:*" | "environment:scripts:list" | "environment:scripts:read" | "environment:scripts:write" | "environment:logs:read" | "environment:webhooks:read" | "environment:webhooks:replay" | "environment:variables:read")[];
        };
        AppCredentials: {
            app_id?: string;
            /** Format: uri */
            app_link?: string;
            client_id?: string;
            client_secret?: string;
            private_key?: string;
            /** @description comma-separated; empty: the provider’s defaults */
            scopes?: string;
            /** @description the `auth_mode` of the provider */
            type?: string;
            /** @description empty: none */
            webhook_secret?: string;
        };
        Connection: {
            connection_config: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            connection_id: string;
            /** Format: date-time */
            created_at: string;
            credentials: components["schemas"]["Credentials"];
            end_user: components["schemas"]["EndUser"] | null;
            errors: {
                log_id: string;
                /** @enum {string} */
                type: "auth" | "sync";
            }[];
            id: number;
            /**
             * Format: date-time
             * @description when the credentials were last fetched; equal to `created_at`: never
             */
            last_fetched_at: string;
            metadata: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            provider: string;
            provider_config_key: string;
            /**
             * @description up to 10 keys of your choice, e.g. to identify the user
             * @example {
             *       "end_user_id": "user-123"
             *     }
             */
            tags: {
                [key: string]: string;
            };
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: uri
             * @description only if requested
             */
            webhook_url?: string;
        };
        ConnectionChanges: {
            /** @description deprecated: use `tags` */
            end_user?: {
                display_name?: string;
                email?: string;
                id: string;
                tags?: {
                    [key: string]: string;
                };
            };
            /**
             * @description replaces all tags
             * @example {
             *       "end_user_id": "user-123"
             *     }
             */
            tags?: {
                [key: string]: string;
            };
            /** @description webhook URL for this connection; empty: that of the environment */
            webhook_url_override?: string;
        };
        ConnectionHealth: {
            /** @description the status that calls get from this service now; null: they are sent to the provider */
            call_status: (424 | 503) | null;
            /** @description why the connection is not healthy: an error code, or the cause of the state */
            cause: ("invalid_credentials" | "provider_unavailable" | "too_many_request" | "refused" | "rotation_response_lost" | "verification_failed" | "client_changed" | "client_refused" | "never_used") | null;
            /** @description when the credentials expire or have expired; null: unknown */
            expires_at: string | null;
            /** @description refreshes of degraded credentials that have failed in a row */
            failed_tries: number;
            /** @description whether a refresh is under way */
            is_refreshing: boolean;
            /** @description when the credentials were last refreshed; null: never, or by a release before 1.1 */
            last_refresh_at: string | null;
            /** @description ID of the log entry of the latest failure: `GET /logs/{id}`; null: the log has none */
            log_id: string | null;
            /** @description when degraded credentials are refreshed next; in the past: as soon as a worker can */
            next_try: string | null;
            /** @description account at the provider; null: unknown */
            provider_account: {
                email?: string;
                id: string;
                name?: string;
                picture?: string;
            } | null;
            /**
             * Format: date-time
             * @description when the state began
             */
            since: string;
            /** @enum {string} */
            state: "healthy" | "degraded" | "needs_reauth" | "pending";
        };
        ConnectionImport: {
            connection_config?: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /**
             * @description default: generated
             * @example 7d0f8a52-3a43-4b2c-9c57-5f5c2a1f0b6e
             */
            connection_id?: string;
            credentials: {
                oauth_token: string;
                oauth_token_secret: string;
                /** @constant */
                type: "OAUTH1";
            } | {
                access_token: string;
                config_override?: {
                    client_id?: string;
                    client_secret?: string;
                };
                /** Format: date-time */
                expires_at?: string;
                refresh_token?: string;
                /** @constant */
                type: "OAUTH2";
            } | {
                client_id: string;
                client_secret: string;
                /** Format: date-time */
                expires_at?: string;
                token: string;
                /** @constant */
                type: "OAUTH2_CC";
            } | {
                password: string;
                /** @constant */
                type: "BASIC";
                username: string;
            } | {
                apiKey: string;
                /** @constant */
                type: "API_KEY";
            } | {
                /** @constant */
                type: "NONE";
            } | {
                config_override: {
                    client_id?: string;
                    client_secret?: string;
                };
                token_id: string;
                token_secret: string;
                /** @constant */
                type: "TBA";
            } | {
                app_id: string;
                installation_id: string;
                /** @constant */
                type: "APP";
            };
            /** @description deprecated: use `tags` */
            end_user?: {
                display_name?: string;
                email?: string;
                id: string;
                tags?: {
                    [key: string]: string;
                };
            };
            metadata?: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /**
             * @description the key of an integration
             * @example github
             */
            provider_config_key: string;
            /**
             * @description up to 10 keys of your choice, e.g. to identify the user
             * @example {
             *       "end_user_id": "user-123"
             *     }
             */
            tags?: {
                [key: string]: string;
            };
            webhook_url_override?: string;
        };
        ConnectionMetadata: {
            /** @description one ID or a list of IDs */
            connection_id: string | string[];
            metadata: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /**
             * @description the key of an integration
             * @example github
             */
            provider_config_key: string;
        };
        ConnectSession: {
            /** Format: uri */
            connect_link: string;
            /** Format: date-time */
            expires_at: string;
            token: string;
        };
        ConnectSessionRequest: {
            /** @description default: all integrations; an empty list is rejected */
            allowed_integrations?: string[];
            /**
             * @description where the provider lists several accounts, sites or workspaces: the ID of the one to connect
             * @example {
             *       "github": "site-1"
             *     }
             */
            choices?: {
                [key: string]: string;
            };
            /**
             * @deprecated
             * @description use `tags`
             */
            end_user?: {
                display_name?: string;
                email?: string;
                id: string;
                tags?: {
                    [key: string]: string;
                };
            };
            integrations_config_defaults?: {
                [key: string]: {
                    /**
                     * @description parameters added to the provider’s authorization URL
                     * @example {
                     *       "prompt": "consent"
                     *     }
                     */
                    authorization_params?: {
                        [key: string]: string;
                    };
                    connection_config?: {
                        /** @description replaces the integration’s client ID */
                        oauth_client_id_override?: string;
                        /** @description replaces the integration’s client secret */
                        oauth_client_secret_override?: string;
                        /** @description comma-separated; replaces the integration’s scopes */
                        oauth_scopes_override?: string;
                        /**
                         * @deprecated
                         * @description use `webhook_url_override`
                         */
                        webhook_url?: string;
                    } & {
                        [key: string]: components["schemas"]["JsonValue"];
                    };
                    /** @description comma-separated user scopes, Slack’s `user_scope` */
                    user_scopes?: string;
                };
            };
            /**
             * @deprecated
             * @description use `tags`
             */
            organization?: {
                display_name?: string;
                id: string;
            };
            overrides?: {
                [key: string]: {
                    docs_connect?: string;
                };
            };
            /**
             * @description URL to which a connect link leads at the end, with `svc_status` (`connected`, `failed` or `closed`) and `integration` in its query: https, and below one of the environment’s return URLs (`env set --return-urls`)
             * @example https://app.example.com/settings
             */
            return_url?: string;
            /**
             * @description up to 10 keys of your choice, e.g. to identify the user
             * @example {
             *       "end_user_id": "user-123"
             *     }
             */
            tags?: {
                [key: string]: string;
            };
            webhook_url_override?: string;
        };
        Credentials: {
            oauth_token: string;
            oauth_token_secret: string;
            /** @description the provider’s response */
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /** @constant */
            type: "OAUTH1";
        } | {
            access_token: string;
            config_override?: {
                client_id?: string;
                client_secret?: string;
            };
            /** Format: date-time */
            expires_at?: string;
            /** @description the provider’s response */
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /** @description only if requested */
            refresh_token?: string;
            /** @constant */
            type: "OAUTH2";
        } | {
            client_id: string;
            client_secret: string;
            /** Format: date-time */
            expires_at?: string;
            /** @description the provider’s response */
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            token: string;
            /** @constant */
            type: "OAUTH2_CC";
        } | {
            password: string;
            /** @constant */
            type: "BASIC";
            username: string;
        } | {
            apiKey: string;
            /** @constant */
            type: "API_KEY";
        } | Record<string, never> | {
            config_override: {
                client_id?: string;
                client_secret?: string;
            };
            token_id: string;
            token_secret: string;
            /** @constant */
            type: "TBA";
        } | {
            access_token: string;
            /** Format: date-time */
            expires_at?: string;
            /** @description the provider’s response */
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /** @constant */
            type: "APP";
        } | {
            access_token: string;
            /** Format: date-time */
            expires_at?: string;
            private_key: string;
            /** @description the provider’s response */
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /** @constant */
            type: "APP_STORE";
        } | {
            /** Format: date-time */
            expires_at?: string;
            issuerId?: string;
            privateKey: string | {
                id: string;
                secret: string;
            };
            privateKeyId?: string;
            token?: string;
            /** @constant */
            type: "JWT";
        } | {
            /** @description the provider’s response */
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /** @constant */
            type: "CUSTOM";
        } | {
            dev_key: string;
            /** Format: date-time */
            expires_at?: string;
            organization_id: string;
            password: string;
            /** @description the provider’s response */
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            session_id?: string;
            /** @constant */
            type: "BILL";
            user_id?: string;
            username: string;
        } | {
            /** Format: date-time */
            expires_at?: string;
            /** @description the provider’s response */
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            token?: string;
            /** @constant */
            type: "TWO_STEP";
        } | {
            /** Format: date-time */
            expires_at?: string;
            password: string;
            token?: string;
            /** @constant */
            type: "SIGNATURE";
            username: string;
        } | {
            raw: {
                access_key_id: string;
                /** Format: date-time */
                expires_at?: string;
                role_arn: string;
                secret_access_key: string;
                session_token: string;
            };
            /** @constant */
            type: "CUSTOM";
        };
        EndUser: {
            display_name: string | null;
            email: string | null;
            id: string;
            organization: {
                display_name: string | null;
                id: string;
            } | null;
            tags: {
                [key: string]: string;
            };
        };
        Environment: {
            callback_url: string | null;
            id: number;
            is_production: boolean;
            name: string;
            /** Format: uuid */
            uuid: string;
        };
        EnvironmentRequest: {
            /** @description URL to which providers redirect browsers; default: the callback URL of the service */
            callback_url?: string;
            is_production?: boolean;
            name: string;
        };
        EnvironmentVariable: {
            name: string;
            value: string;
        };
        Error: {
            error: {
                /** @enum {string} */
                code: "invalid_json" | "invalid_body" | "invalid_query_params" | "invalid_uri_params" | "invalid_headers" | "connection_test_failed" | "connection_validation_failed" | "invalid_auth_mode" | "integration_not_allowed" | "missing_client_id" | "missing_hmac" | "invalid_hmac" | "missing_api_url" | "address_not_allowed" | "base_url_override_not_allowed" | "webhook_invalid_payload" | "missing_auth_header" | "malformed_auth_header" | "unknown_account" | "unknown_connect_session_token" | "signed_out" | "invalid_login" | "webhook_missing_signature" | "webhook_invalid_signature" | "deprecated_authentication" | "forbidden" | "password_needed" | "factor_needed" | "unknown_connection" | "unknown_provider_config" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "idempotency_mismatch" | "wrong_account" | "payload_too_large" | "uri_too_long" | "invalid_content_type" | "invalid_credentials" | "too_many_request" | "headers_too_large" | "server_error" | "provider_unreachable" | "provider_unavailable" | "draining" | "overloaded" | "storage_unavailable" | "storage_full" | "provider_timeout";
                errors?: {
                    code: string;
                    message: string;
                    path: string[];
                }[];
                message: string;
            };
        };
        InboxEntry: {
            bytes: number;
            /** @description only headers that belong to webhooks */
            headers: {
                [key: string]: string;
            };
            id: number;
            /** @description null if it was larger than 64 KiB */
            payload: unknown;
            /** Format: date-time */
            received_at: string;
            signature_valid: boolean;
        };
        Integration: {
            /** Format: date-time */
            created_at: string;
            display_name: string;
            forward_webhooks: boolean;
            /** Format: uri */
            logo: string;
            provider: string;
            unique_key: string;
            /** Format: date-time */
            updated_at: string;
        };
        IntegrationChanges: {
            credentials?: components["schemas"]["AppCredentials"];
            display_name?: string;
            forward_webhooks?: boolean;
            /** @description an empty value removes a field */
            integration_config?: {
                [key: string]: string;
            };
            /**
             * @description the key of an integration
             * @example github
             */
            unique_key?: string;
        };
        IntegrationDetails: {
            /** Format: uri */
            callback_url?: string;
            /** Format: date-time */
            created_at: string;
            credentials?: {
                app_id?: string | null;
                app_link?: string | null;
                client_id?: string | null;
                client_secret?: string | null;
                private_key?: string | null;
                scopes?: string;
                type: string;
                webhook_secret: string | null;
            } | null;
            display_name: string;
            forward_webhooks: boolean;
            /** @description fields marked `secret` are `***` without the scope `read_credentials` */
            integration_config?: {
                [key: string]: string;
            };
            /** Format: uri */
            logo: string;
            provider: string;
            unique_key: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: uri */
            webhook_url?: string;
        };
        /** @description Anything that JSON can hold. */
        JsonValue: string | number | boolean | null | unknown[] | {
            [key: string]: components["schemas"]["JsonValue"];
        };
        ListedConnection: {
            connection_config: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            connection_id: string;
            /** Format: date-time */
            created: string;
            /** Format: date-time */
            created_at: string;
            end_user: components["schemas"]["EndUser"] | null;
            errors: {
                log_id: string;
                /** @enum {string} */
                type: "auth" | "sync";
            }[];
            id: number;
            /**
             * Format: date-time
             * @description when the credentials were last fetched; equal to `created_at`: never
             */
            last_fetched_at: string;
            metadata: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            provider: string;
            provider_config_key: string;
            /**
             * @description up to 10 keys of your choice, e.g. to identify the user
             * @example {
             *       "end_user_id": "user-123"
             *     }
             */
            tags: {
                [key: string]: string;
            };
            /** Format: date-time */
            updated_at: string;
        };
        LogEntry: {
            /** @description who caused the operation */
            actor: {
                id: string | null;
                kind: string;
                name: string | null;
            };
            connection_id: string | null;
            /** Format: date-time */
            created_at: string;
            duration_ms: number | null;
            ended_at: string | null;
            error_code: string | null;
            /** @description HTTP status of the other side’s response */
            http_status: number | null;
            /** Format: uuid */
            id: string;
            operation: string;
            provider_config_key: string | null;
            /** @description `Svc-Request-Id` of the request in which it began; null: it began in none */
            request_id: string | null;
            /** @description `success`, `failure`, `retrying`, `cancelled` */
            status: string;
            /** @description one-line summary */
            summary: string;
            type: string;
        };
        LogEntryDetails: {
            /** @description who caused the operation */
            actor: {
                id: string | null;
                kind: string;
                name: string | null;
            };
            connection_id: string | null;
            /** Format: date-time */
            created_at: string;
            duration_ms: number | null;
            ended_at: string | null;
            error_code: string | null;
            /** @description HTTP status of the other side’s response */
            http_status: number | null;
            /** Format: uuid */
            id: string;
            messages: components["schemas"]["LogMessage"][];
            operation: string;
            provider_config_key: string | null;
            /** @description `Svc-Request-Id` of the request in which it began; null: it began in none */
            request_id: string | null;
            /** @description `success`, `failure`, `retrying`, `cancelled` */
            status: string;
            /** @description one-line summary */
            summary: string;
            type: string;
        };
        LogMessage: {
            /** Format: date-time */
            at: string;
            facts: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            level: string;
            message: string;
        };
        NewApiKey: {
            /** Format: date-time */
            created_at: string;
            display_name: string;
            expires_at: string | null;
            id: number;
            scopes: string[];
            secret: string;
        };
        NewEnvironment: {
            api_key: string;
            callback_url: string | null;
            id: number;
            name: string;
            /** Format: uuid */
            uuid: string;
        };
        NewIntegration: {
            credentials?: components["schemas"]["AppCredentials"];
            display_name?: string;
            forward_webhooks?: boolean;
            integration_config?: {
                [key: string]: string;
            };
            /**
             * @description the name of a provider
             * @example github
             */
            provider: string;
            /**
             * @description the key of an integration
             * @example github
             */
            unique_key: string;
        };
        Provider: {
            auth_mode: string;
            display_name: string;
            /** Format: uri */
            logo_url: string;
            name: string;
            /** @description how far the definition has been shown to work */
            proof: {
                /** @description for 0 and 1: when it was last compared with the provider’s documentation; for 2: when it was probed; for 3: when it last answered, within ten minutes */
                at: string | null;
                /**
                 * @description 0 stated: only written down; 1 driven: the tests of this release run it against a stand-in for the provider; 2 probed: the provider responds to calls without credentials as the definition says (`svc provider probe`); 3 answered: the provider answered a call of one of the environment’s integrations with 2xx; shown only to keys that may list connections
                 * @enum {number}
                 */
                level: 0 | 1 | 2 | 3;
            };
        } & {
            [key: string]: unknown;
        };
        ProviderPart: {
            auth_mode?: string;
            display_name?: string;
            /** Format: uri */
            logo_url?: string;
            name?: string;
            /** @description how far the definition has been shown to work */
            proof?: {
                /** @description for 0 and 1: when it was last compared with the provider’s documentation; for 2: when it was probed; for 3: when it last answered, within ten minutes */
                at: string | null;
                /**
                 * @description 0 stated: only written down; 1 driven: the tests of this release run it against a stand-in for the provider; 2 probed: the provider responds to calls without credentials as the definition says (`svc provider probe`); 3 answered: the provider answered a call of one of the environment’s integrations with 2xx; shown only to keys that may list connections
                 * @enum {number}
                 */
                level: 0 | 1 | 2 | 3;
            };
        } & {
            [key: string]: unknown;
        };
        QuickstartIntegration: {
            display_name?: string;
            forward_webhooks?: boolean;
            /**
             * @description the name of a provider
             * @example github
             */
            provider: string;
            /**
             * @description the key of an integration
             * @example github
             */
            unique_key: string;
        };
        ReconnectSessionRequest: {
            /** @description true: the user may choose another account at the provider; default: false, which leads to `wrong_account` */
            allow_account_change?: boolean;
            /**
             * @description where the provider lists several accounts, sites or workspaces: the ID of the one to connect
             * @example {
             *       "github": "site-1"
             *     }
             */
            choices?: {
                [key: string]: string;
            };
            /**
             * @description the ID of a connection
             * @example 7d0f8a52-3a43-4b2c-9c57-5f5c2a1f0b6e
             */
            connection_id: string;
            /**
             * @deprecated
             * @description use `tags`
             */
            end_user?: {
                display_name?: string;
                email?: string;
                id: string;
                tags?: {
                    [key: string]: string;
                };
            };
            /**
             * @description the key of an integration
             * @example github
             */
            integration_id: string;
            integrations_config_defaults?: {
                [key: string]: {
                    /**
                     * @description parameters added to the provider’s authorization URL
                     * @example {
                     *       "prompt": "consent"
                     *     }
                     */
                    authorization_params?: {
                        [key: string]: string;
                    };
                    connection_config?: {
                        /** @description replaces the integration’s client ID */
                        oauth_client_id_override?: string;
                        /** @description replaces the integration’s client secret */
                        oauth_client_secret_override?: string;
                        /** @description comma-separated; replaces the integration’s scopes */
                        oauth_scopes_override?: string;
                        /**
                         * @deprecated
                         * @description use `webhook_url_override`
                         */
                        webhook_url?: string;
                    } & {
                        [key: string]: components["schemas"]["JsonValue"];
                    };
                    /** @description comma-separated user scopes, Slack’s `user_scope` */
                    user_scopes?: string;
                };
            };
            /**
             * @deprecated
             * @description use `tags`
             */
            organization?: {
                display_name?: string;
                id: string;
            };
            overrides?: {
                [key: string]: {
                    docs_connect?: string;
                };
            };
            /**
             * @description URL to which a connect link leads at the end, with `svc_status` (`connected`, `failed` or `closed`) and `integration` in its query: https, and below one of the environment’s return URLs (`env set --return-urls`)
             * @example https://app.example.com/settings
             */
            return_url?: string;
            /**
             * @description up to 10 keys of your choice, e.g. to identify the user
             * @example {
             *       "end_user_id": "user-123"
             *     }
             */
            tags?: {
                [key: string]: string;
            };
            webhook_url_override?: string;
        };
        Script: {
            /**
             * Format: date-time
             * @description when the active version was created
             */
            created_at: string;
            enabled: boolean;
            /** @enum {string} */
            event: "post-connection-creation" | "pre-connection-deletion" | "validate-connection" | "on-webhook";
            /** @description active version */
            version: number;
        };
        ScriptChanges: {
            enabled?: boolean;
            /** @description the version to activate, e.g. an earlier one */
            version?: number;
        };
        ScriptRun: {
            /** @description why the run did not complete; `refused`: a `validate-connection` script threw a `ScriptError` */
            cause: string | null;
            /** @description null: there was no connection yet */
            connection_id: string | null;
            duration_ms: number;
            id: string;
            log: {
                /** @description milliseconds since the start of the run */
                at: number;
                facts?: components["schemas"]["JsonValue"];
                /** @enum {string} */
                level: "debug" | "info" | "warn" | "error";
                message: string;
            }[];
            /** @description growth of the process’s memory */
            memory_mb: number;
            /** Format: date-time */
            started_at: string;
            /** @enum {string} */
            status: "done" | "failed" | "killed";
            version: number;
        };
        ScriptSource: {
            /** @enum {string} */
            language: "typescript" | "javascript";
            /** @description an ES module without imports, at most 256 KB */
            source: string;
        };
        Success: {
            /** @constant */
            success: true;
        };
        WebhookAttempt: {
            /** Format: date-time */
            at: string;
            duration_ms: number;
            /** @description why there was no response; `queue_full`, `expired`: no attempt, but why the message was given up */
            error: string | null;
            is_replay: boolean;
            /** @description null: no response */
            status: number | null;
            /** @description empty: the URL had been removed */
            url: string;
        };
        WebhookMessage: {
            connection_id: string | null;
            /** Format: date-time */
            created_at: string;
            id: string;
            /** @description when the next attempt may be made, at the earliest; in the past: it waits for its turn, or no instance sends webhooks; null: none is scheduled, or one is being made */
            next_attempt_at: string | null;
            operation: string | null;
            provider_config_key: string | null;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "paused";
            /** @description whether what an `auth` message reports has succeeded; null: other messages, and those of a release before 1.1 */
            success: boolean | null;
            type: string;
        };
        WebhookMessageDetails: {
            attempts: components["schemas"]["WebhookAttempt"][];
            connection_id: string | null;
            /** Format: date-time */
            created_at: string;
            id: string;
            /** @description when the next attempt may be made, at the earliest; in the past: it waits for its turn, or no instance sends webhooks; null: none is scheduled, or one is being made */
            next_attempt_at: string | null;
            operation: string | null;
            payload: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            provider_config_key: string | null;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "paused";
            /** @description whether what an `auth` message reports has succeeded; null: other messages, and those of a release before 1.1 */
            success: boolean | null;
            type: string;
        };
        WebhookMessageFilter: {
            /**
             * @description the ID of a connection
             * @example 7d0f8a52-3a43-4b2c-9c57-5f5c2a1f0b6e
             */
            connection_id?: string;
            /**
             * @description key of an integration; its former keys are included
             * @example github
             */
            integration?: string;
            /**
             * Format: date-time
             * @description created at or after this time
             * @example 2026-01-15T00:00:00Z
             */
            since?: string;
            /**
             * @description `paused`: its target is paused
             * @example failed
             * @enum {string}
             */
            status?: "pending" | "delivered" | "failed" | "paused";
            /**
             * @description `test`: a test message
             * @example auth
             * @enum {string}
             */
            type?: "auth" | "forward" | "test";
            /**
             * Format: date-time
             * @description created before this time
             * @example 2026-01-16T00:00:00Z
             */
            until?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    createConnectSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of your choice for each request: a retry within 24 hours changes nothing and gets the same response.
                 * @example 6f1c2f0e-6d0f-4c1b-9a55-0d6b7a3f2c11
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectSessionRequest"];
            };
        };
        responses: {
            /** @description The token and the link, valid for 30 minutes. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConnectSession"];
                    };
                };
            };
        };
    };
    createReconnectSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of your choice for each request: a retry within 24 hours changes nothing and gets the same response.
                 * @example 6f1c2f0e-6d0f-4c1b-9a55-0d6b7a3f2c11
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReconnectSessionRequest"];
            };
        };
        responses: {
            /** @description The token and the link, valid for 30 minutes. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConnectSession"];
                    };
                };
            };
        };
    };
    listConnections: {
        parameters: {
            query?: {
                /**
                 * @description the ID of a connection
                 * @example 7d0f8a52-3a43-4b2c-9c57-5f5c2a1f0b6e
                 */
                connectionId?: string;
                /**
                 * @description `next_cursor` of the previous page
                 * @example NDI
                 */
                cursor?: string;
                /**
                 * @description value of the tag `end_user_id`, or the ID of `end_user`
                 * @example user-123
                 */
                endUserId?: string;
                /**
                 * @description value of the tag `organization_id`, or that of `end_user`
                 * @example org-7
                 */
                endUserOrganizationId?: string;
                /**
                 * @description one or more integration IDs, comma-separated
                 * @example github,slack
                 */
                integrationId?: string;
                /**
                 * @description page size
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description from 0; for many pages pass `cursor` instead
                 * @example 0
                 */
                page?: number;
                /**
                 * @description words, each of which begins a word of the connection ID, of a tag’s value, of the end user’s name or e-mail address, or of the account at the provider
                 * @example jane acme
                 */
                search?: string;
                /**
                 * @description only connections in this state, e.g. those whose user must reauthorize
                 * @example needs_reauth
                 */
                state?: "healthy" | "degraded" | "needs_reauth" | "pending";
                /**
                 * @description `tags[key]=value`; a connection must have all of these tags
                 * @example {
                 *       "end_user_id": "user-123"
                 *     }
                 */
                tags?: {
                    [key: string]: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, without credentials. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        connections: components["schemas"]["ListedConnection"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    importConnection: {
        parameters: {
            query?: {
                /**
                 * @description false: no auth webhook is sent, e.g. during a migration
                 * @example false
                 */
                notify?: boolean;
            };
            header?: {
                /**
                 * @description A unique value of your choice for each request: a retry within 24 hours changes nothing and gets the same response.
                 * @example 6f1c2f0e-6d0f-4c1b-9a55-0d6b7a3f2c11
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionImport"];
            };
        };
        responses: {
            /** @description The stored connection. Omitted fields of an existing connection stay unchanged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
        };
    };
    getConnection: {
        parameters: {
            query: {
                /**
                 * @description refresh even if the credentials are still valid; if that fails, `true` returns the valid ones, `strict` an error
                 * @example true
                 */
                force_refresh?: boolean | "strict";
                /**
                 * @description `webhook`: adds `webhook_url`, the URL for this connection
                 * @example webhook
                 */
                include?: "webhook";
                /**
                 * @description the key of an integration
                 * @example github
                 */
                provider_config_key: string;
                /**
                 * @description accepted for existing clients, ignored
                 * @example false
                 */
                refresh_github_app_jwt_token?: boolean;
                /**
                 * @description include refresh tokens
                 * @example false
                 */
                refresh_token?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description the ID of a connection
                 * @example 7d0f8a52-3a43-4b2c-9c57-5f5c2a1f0b6e
                 */
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record; `credentials` is `{}` for a key that may not read them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
        };
    };
    deleteConnection: {
        parameters: {
            query: {
                /**
                 * @description the key of an integration
                 * @example github
                 */
                provider_config_key: string;
            };
            header?: never;
            path: {
                /**
                 * @description the ID of a connection
                 * @example 7d0f8a52-3a43-4b2c-9c57-5f5c2a1f0b6e
                 */
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted; its credentials can no longer be used. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
        };
    };
    updateConnection: {
        parameters: {
            query: {
                /**
                 * @description the key of an integration
                 * @example github
                 */
                provider_config_key: string;
            };
            header?: never;
            path: {
                /**
                 * @description the ID of a connection
                 * @example 7d0f8a52-3a43-4b2c-9c57-5f5c2a1f0b6e
                 */
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionChanges"];
            };
        };
        responses: {
            /** @description Updated; omitted fields stay unchanged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
        };
    };
    getConnectionHealth: {
        parameters: {
            query: {
                /**
                 * @description the key of an integration
                 * @example github
                 */
                provider_config_key: string;
            };
            header?: never;
            path: {
                /**
                 * @description the ID of a connection
                 * @example 7d0f8a52-3a43-4b2c-9c57-5f5c2a1f0b6e
                 */
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last known state, and since when. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConnectionHealth"];
                    };
                };
            };
        };
    };
    setMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionMetadata"];
            };
        };
        responses: {
            /** @description The request body. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionMetadata"];
                };
            };
        };
    };
    updateMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionMetadata"];
            };
        };
        responses: {
            /** @description The request body. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionMetadata"];
                };
            };
        };
    };
    listEnvironmentVariables: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All variables, sorted by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentVariable"][];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query: {
                /**
                 * @description the ID of an environment
                 * @example 2
                 */
                environment_id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All keys that are not revoked, oldest first; expired keys still occupy their names. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                    };
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of your choice for each request: a retry within 24 hours changes nothing and gets the same response.
                 * @example 6f1c2f0e-6d0f-4c1b-9a55-0d6b7a3f2c11
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyRequest"];
            };
        };
        responses: {
            /** @description The key. This is the only response with its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NewApiKey"];
                    };
                };
            };
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    environment_id: number;
                    key_id: number;
                };
            };
        };
        responses: {
            /** @description The key is revoked. Every instance refuses it within two seconds; one that has lost the database may accept it for up to five minutes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
        };
    };
    listEnvironments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All environments, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Environment"][];
                    };
                };
            };
        };
    };
    createEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of your choice for each request: a retry within 24 hours changes nothing and gets the same response.
                 * @example 6f1c2f0e-6d0f-4c1b-9a55-0d6b7a3f2c11
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnvironmentRequest"];
            };
        };
        responses: {
            /** @description The environment. This is the only response with its full-access key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NewEnvironment"];
                    };
                };
            };
        };
    };
    deleteEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the ID of an environment
                 * @example 8113
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted: its keys, sessions and connections no longer work, and its name is available. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listIntegrations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All integrations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Integration"][];
                    };
                };
            };
        };
    };
    createIntegration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of your choice for each request: a retry within 24 hours changes nothing and gets the same response.
                 * @example 6f1c2f0e-6d0f-4c1b-9a55-0d6b7a3f2c11
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewIntegration"];
            };
        };
        responses: {
            /** @description The integration. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Integration"];
                    };
                };
            };
        };
    };
    getIntegration: {
        parameters: {
            query?: {
                /**
                 * @description further data to include; may be repeated
                 * @example [
                 *       "webhook"
                 *     ]
                 */
                include?: ("webhook" | "credentials" | "config") | ("webhook" | "credentials" | "config")[];
            };
            header?: never;
            path: {
                /**
                 * @description the key of an integration
                 * @example github
                 */
                uniqueKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The integration; `credentials`, and secret fields of `integration_config`, only for an API key that may read them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IntegrationDetails"];
                    };
                };
            };
        };
    };
    deleteIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the key of an integration
                 * @example github
                 */
                uniqueKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted; the credentials of its connections can no longer be used. Clean-up at the provider follows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
        };
    };
    updateIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the key of an integration
                 * @example github
                 */
                uniqueKey: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntegrationChanges"];
            };
        };
        responses: {
            /** @description The updated integration. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Integration"];
                    };
                };
            };
        };
    };
    listScripts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the key of an integration
                 * @example github
                 */
                uniqueKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All scripts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Script"][];
                    };
                };
            };
        };
    };
    deployScript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the event that triggers the script
                 * @example post-connection-creation
                 */
                event: "post-connection-creation" | "pre-connection-deletion" | "validate-connection" | "on-webhook";
                /**
                 * @description the key of an integration
                 * @example github
                 */
                uniqueKey: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScriptSource"];
            };
        };
        responses: {
            /** @description The script is active, unless it is disabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Script"];
                    };
                };
            };
        };
    };
    deleteScript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the event that triggers the script
                 * @example post-connection-creation
                 */
                event: "post-connection-creation" | "pre-connection-deletion" | "validate-connection" | "on-webhook";
                /**
                 * @description the key of an integration
                 * @example github
                 */
                uniqueKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateScript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the event that triggers the script
                 * @example post-connection-creation
                 */
                event: "post-connection-creation" | "pre-connection-deletion" | "validate-connection" | "on-webhook";
                /**
                 * @description the key of an integration
                 * @example github
                 */
                uniqueKey: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScriptChanges"];
            };
        };
        responses: {
            /** @description The updated script. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Script"];
                    };
                };
            };
        };
    };
    listScriptRuns: {
        parameters: {
            query?: {
                /**
                 * @description only runs for this connection
                 * @example 7d0f8a52-3a43-4b2c-9c57-5f5c2a1f0b6e
                 */
                connection_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description the event that triggers the script
                 * @example post-connection-creation
                 */
                event: "post-connection-creation" | "pre-connection-deletion" | "validate-connection" | "on-webhook";
                /**
                 * @description the key of an integration
                 * @example github
                 */
                uniqueKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most 100 runs, within the retention of the operation log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ScriptRun"][];
                    };
                };
            };
        };
    };
    createQuickstartIntegration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of your choice for each request: a retry within 24 hours changes nothing and gets the same response.
                 * @example 6f1c2f0e-6d0f-4c1b-9a55-0d6b7a3f2c11
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuickstartIntegration"];
            };
        };
        responses: {
            /** @description The integration. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Integration"];
                    };
                };
            };
        };
    };
    listLogs: {
        parameters: {
            query?: {
                /**
                 * @description who caused the operation
                 * @example api_key
                 */
                actor?: "api_key" | "member" | "session" | "script" | "system" | "cli";
                /**
                 * @description ID of an actor; requires `actor`
                 * @example 12
                 */
                actor_id?: string;
                /**
                 * @description the ID of a connection
                 * @example 7d0f8a52-3a43-4b2c-9c57-5f5c2a1f0b6e
                 */
                connection_id?: string;
                /**
                 * @description `next_cursor` of the previous page
                 * @example AZvF0YAAeg6PQy-eapt6EA
                 */
                cursor?: string;
                /**
                 * @description code of the failure
                 * @example invalid_grant
                 */
                error_code?: string;
                /**
                 * @description HTTP status of the other side’s response
                 * @example 404
                 */
                http_status?: number;
                /**
                 * @description keys of integrations, comma-separated; their former keys are included
                 * @example github
                 */
                integration?: string;
                /**
                 * @description page size
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description method of a proxied call; `received`, `refused`, `forwarded` or `auth` of a webhook; event of a script; administrative action, e.g. `integration.update`; `creation`, `override`, `verification`, …
                 * @example creation
                 */
                operation?: string;
                /**
                 * @description ID of an operation, a request or a connection; else beginnings of words in the summary, path, messages, IDs, error code or HTTP status
                 * @example invalid_grant
                 */
                search?: string;
                /**
                 * @description operations that began at or after this time
                 * @example 2026-01-15T00:00:00Z
                 */
                since?: string;
                /**
                 * @description comma-separated: success, failure, retrying, cancelled
                 * @example failure
                 */
                status?: string;
                /**
                 * @description comma-separated: auth, refresh, proxy, webhook, script, deletion, admin
                 * @example auth,refresh
                 */
                type?: string;
                /**
                 * @description operations that began before this time
                 * @example 2026-01-16T00:00:00Z
                 */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, without messages. Some entries are left out: beyond 100 successful proxied calls per second on an instance, further ones of that second; beyond 20 rejected deliveries per minute and integration on an instance, further ones of that minute; any entries while 20,000 wait to be written. The oldest are removed when their retention has ended or the log exceeds `SVC_LOG_MAX_MB`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogEntry"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getLog: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description `log_id` of an error of a connection
                 * @example 019bc5d1-8000-7a0e-8f43-2f9e6a9b7a10
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation and its messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogEntryDetails"];
                    };
                };
            };
        };
    };
    listProviders: {
        parameters: {
            query?: {
                /**
                 * @description how connections are authorized
                 * @example OAUTH2
                 */
                auth_mode?: "OAUTH1" | "OAUTH2" | "OAUTH2_CC" | "BASIC" | "API_KEY" | "NONE" | "TBA" | "APP" | "APP_STORE" | "JWT" | "CUSTOM" | "BILL" | "TWO_STEP" | "SIGNATURE" | "AWS_SIGV4" | "MCP_OAUTH2";
                /**
                 * @description one of `categories`
                 * @example dev-tools
                 */
                category?: string;
                /**
                 * @description `next_cursor` of the previous page
                 * @example Z2l0aHVi
                 */
                cursor?: string;
                /**
                 * @description members to return, comma-separated; default: all
                 * @example name,display_name
                 */
                fields?: string;
                /**
                 * @description page size; default: all
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description part of the name, of a category or of the auth mode
                 * @example git
                 */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All matches, sorted by name; with `limit`, one page and `next_cursor`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProviderPart"][];
                        next_cursor?: string | null;
                    };
                };
            };
        };
    };
    getProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the name of a provider
                 * @example github
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The catalogue entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Provider"];
                    };
                };
            };
        };
    };
    listWebhookInbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks. The inbox gets those that are sent to its URL (`svc env set --webhook-url inbox`), and keeps them when the URL changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxEntry"][];
                    };
                };
            };
        };
    };
    clearWebhookInbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The inbox is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listWebhookMessages: {
        parameters: {
            query?: {
                /**
                 * @description the ID of a connection
                 * @example 7d0f8a52-3a43-4b2c-9c57-5f5c2a1f0b6e
                 */
                connection_id?: string;
                /**
                 * @description `next_cursor` of the previous page
                 * @example NDI
                 */
                cursor?: string;
                /**
                 * @description key of an integration; its former keys are included
                 * @example github
                 */
                integration?: string;
                /**
                 * @description page size
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description from 0; for many pages pass `cursor` instead
                 * @example 0
                 */
                page?: number;
                /**
                 * @description created at or after this time
                 * @example 2026-01-15T00:00:00Z
                 */
                since?: string;
                /**
                 * @description `paused`: its target is paused
                 * @example failed
                 */
                status?: "pending" | "delivered" | "failed" | "paused";
                /**
                 * @description `test`: a test message
                 * @example auth
                 */
                type?: "auth" | "forward" | "test";
                /**
                 * @description created before this time
                 * @example 2026-01-16T00:00:00Z
                 */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, without payloads. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookMessage"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getWebhookMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the value of the header `webhook-id`
                 * @example msg_2KWPBgLlAfxdpx2AI54pPJ85f4W
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message with its latest 100 attempts, oldest first; the last entry may say why it was given up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookMessageDetails"];
                    };
                };
            };
        };
    };
    replayWebhookMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the value of the header `webhook-id`
                 * @example msg_2KWPBgLlAfxdpx2AI54pPJ85f4W
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message has its full retry schedule again, with the same ID. A paused target is resumed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true: the message waits, since its URL was removed; false: it is due now */
                        is_held: boolean;
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    replayWebhookMessages: {
        parameters: {
            query?: {
                /**
                 * @description the ID of a connection
                 * @example 7d0f8a52-3a43-4b2c-9c57-5f5c2a1f0b6e
                 */
                connection_id?: string;
                /**
                 * @description key of an integration; its former keys are included
                 * @example github
                 */
                integration?: string;
                /**
                 * @description created at or after this time
                 * @example 2026-01-15T00:00:00Z
                 */
                since?: string;
                /**
                 * @description `paused`: its target is paused
                 * @example failed
                 */
                status?: "pending" | "delivered" | "failed" | "paused";
                /**
                 * @description `test`: a test message
                 * @example auth
                 */
                type?: "auth" | "forward" | "test";
                /**
                 * @description created before this time
                 * @example 2026-01-16T00:00:00Z
                 */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookMessageFilter"];
            };
        };
        responses: {
            /** @description The messages have their full retry schedule again: the oldest matches, at most 10000. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            count: number;
                            /** @description whether more matched, for a further request */
                            has_more: boolean;
                            /** @description whether some of them wait, since their URL was removed; the others are due now */
                            is_held: boolean;
                        };
                    };
                };
            };
        };
    };
    sendTestWebhookMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description type of webhook to imitate
                     * @example auth
                     * @enum {string}
                     */
                    type: "auth" | "forward";
                };
            };
        };
        responses: {
            /** @description The message is stored. With two webhook URLs there are two, and the ID is that of the one to the first URL. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            /** @description true: it waits, since a URL is paused or has failed too often; false: it is due now */
                            is_held: boolean;
                        };
                    };
                };
            };
        };
    };
}
