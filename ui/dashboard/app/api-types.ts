// Written by `npm run schema` from the private interface of the service.

export interface components {
    schemas: {
        JsonValue: string | number | boolean | null | unknown[] | {
            [key: string]: components["schemas"]["JsonValue"];
        };
        Connection: {
            id: number;
            connection_id: string;
            provider_config_key: string;
            provider: string;
            errors: {
                type: "auth" | "sync";
                log_id: string;
            }[];
            end_user: components["schemas"]["EndUser"] | null;
            metadata: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            connection_config: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            tags: {
                [key: string]: string;
            };
            created_at: string;
            updated_at: string;
            last_fetched_at: string;
            credentials: components["schemas"]["Credentials"];
            webhook_url?: string;
        };
        EndUser: {
            id: string;
            email: string | null;
            display_name: string | null;
            tags: {
                [key: string]: string;
            };
            organization: {
                id: string;
                display_name: string | null;
            } | null;
        };
        Credentials: {
            type: "OAUTH1";
            oauth_token: string;
            oauth_token_secret: string;
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        } | {
            type: "OAUTH2";
            access_token: string;
            refresh_token?: string;
            expires_at?: string;
            config_override?: {
                client_id?: string;
                client_secret?: string;
            };
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        } | {
            type: "OAUTH2_CC";
            client_id: string;
            client_secret: string;
            token: string;
            expires_at?: string;
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        } | {
            type: "BASIC";
            username: string;
            password: string;
        } | {
            type: "API_KEY";
            apiKey: string;
        } | Record<string, never> | {
            type: "TBA";
            token_id: string;
            token_secret: string;
            config_override: {
                client_id?: string;
                client_secret?: string;
            };
        } | {
            type: "APP";
            access_token: string;
            expires_at?: string;
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        } | {
            type: "APP_STORE";
            access_token: string;
            private_key: string;
            expires_at?: string;
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        } | {
            type: "JWT";
            privateKey: string | {
                id: string;
                secret: string;
            };
            privateKeyId?: string;
            issuerId?: string;
            token?: string;
            expires_at?: string;
        } | {
            type: "CUSTOM";
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        } | {
            type: "BILL";
            username: string;
            password: string;
            organization_id: string;
            dev_key: string;
            session_id?: string;
            user_id?: string;
            expires_at?: string;
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        } | {
            type: "TWO_STEP";
            token?: string;
            expires_at?: string;
            raw: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        } | {
            type: "SIGNATURE";
            username: string;
            password: string;
            token?: string;
            expires_at?: string;
        } | {
            type: "CUSTOM";
            raw: {
                role_arn: string;
                access_key_id: string;
                secret_access_key: string;
                session_token: string;
                expires_at?: string;
            };
        };
        ConnectionImport: {
            provider_config_key: string;
            credentials: {
                type: "OAUTH1";
                oauth_token: string;
                oauth_token_secret: string;
            } | {
                type: "OAUTH2";
                access_token: string;
                refresh_token?: string;
                expires_at?: string;
                config_override?: {
                    client_id?: string;
                    client_secret?: string;
                };
            } | {
                type: "OAUTH2_CC";
                client_id: string;
                client_secret: string;
                token: string;
                expires_at?: string;
            } | {
                type: "BASIC";
                username: string;
                password: string;
            } | {
                type: "API_KEY";
                apiKey: string;
            } | {
                type: "NONE";
            } | {
                type: "TBA";
                token_id: string;
                token_secret: string;
                config_override: {
                    client_id?: string;
                    client_secret?: string;
                };
            } | {
                type: "APP";
                app_id: string;
                installation_id: string;
            };
            connection_id?: string;
            connection_config?: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            metadata?: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            tags?: {
                [key: string]: string;
            };
            end_user?: {
                id: string;
                email?: string;
                display_name?: string;
                tags?: {
                    [key: string]: string;
                };
            };
            webhook_url_override?: string;
        };
        WebhookAttempt: {
            at: string;
            url: string;
            status: number | null;
            duration_ms: number;
            error: string | null;
            is_replay: boolean;
        };
        Attention: {
            kind: "disk" | "work" | "degraded" | "webhook_target" | "reconnect" | "failures" | "subscription" | "refused" | "webhook_messages" | "script" | "api_key" | "client";
            integration: {
                unique_key: string;
                display_name: string;
            } | null;
            count: number | null;
            total: number | null;
            free: number | null;
            expired: number | null;
            share_before: number | null;
            since: string | null;
            until: string | null;
            event: string | null;
            target: string | null;
            is_paused: boolean;
            name: string | null;
            is_account_key: boolean;
            cause: string | null;
            summary: string | null;
            log_id: string | null;
        };
        LogMessage: {
            at: string;
            level: string;
            message: string;
            facts: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        };
        FailureCause: {
            kind: "not_allowed" | "too_large" | "timeout" | "dns" | "refused" | "route" | "certificate" | "tls" | "reset" | "other" | "status" | "code";
            host: string | null;
            origin: string | null;
            reason: string | null;
            said: string | null;
            meaning: string | null;
            remedy: string | null;
        };
        ProviderPart: {
            name?: string;
            display_name?: string;
            auth_mode?: string;
            logo_url?: string;
            proof?: {
                level: 0 | 1 | 2 | 3;
                at: string | null;
            };
        } & {
            [key: string]: unknown;
        };
        Provider: {
            name: string;
            display_name: string;
            auth_mode: string;
            logo_url: string;
            proof: {
                level: 0 | 1 | 2 | 3;
                at: string | null;
            };
        } & {
            [key: string]: unknown;
        };
        Integration: {
            unique_key: string;
            display_name: string;
            provider: string;
            created_at: string;
            updated_at: string;
            logo: string;
            forward_webhooks: boolean;
        };
        NewIntegration: {
            unique_key: string;
            provider: string;
            display_name?: string;
            forward_webhooks?: boolean;
            credentials?: components["schemas"]["AppCredentials"];
            integration_config?: {
                [key: string]: string;
            };
        };
        AppCredentials: {
            type?: string;
            client_id?: string;
            client_secret?: string;
            scopes?: string;
            webhook_secret?: string;
            app_id?: string;
            app_link?: string;
            private_key?: string;
        };
        QuickstartIntegration: {
            unique_key: string;
            provider: string;
            display_name?: string;
            forward_webhooks?: boolean;
        };
        IntegrationDetails: {
            unique_key: string;
            display_name: string;
            provider: string;
            created_at: string;
            updated_at: string;
            logo: string;
            forward_webhooks: boolean;
            webhook_url?: string;
            callback_url?: string;
            credentials?: {
                type: string;
                client_id?: string | null;
                client_secret?: string | null;
                scopes?: string;
                app_id?: string | null;
                app_link?: string | null;
                private_key?: string | null;
                webhook_secret: string | null;
            } | null;
            integration_config?: {
                [key: string]: string;
            };
        };
        IntegrationChanges: {
            unique_key?: string;
            display_name?: string;
            forward_webhooks?: boolean;
            credentials?: components["schemas"]["AppCredentials"];
            integration_config?: {
                [key: string]: string;
            };
        };
        Success: {
            success: true;
        };
        Script: {
            event: "post-connection-creation" | "pre-connection-deletion" | "validate-connection" | "on-webhook";
            version: number;
            enabled: boolean;
            created_at: string;
        };
        ScriptSource: {
            source: string;
            language: "typescript" | "javascript";
        };
        ScriptChanges: {
            enabled?: boolean;
            version?: number;
        };
        ConnectSession: {
            token: string;
            connect_link: string;
            expires_at: string;
        };
        ConnectSessionRequest: {
            tags?: {
                [key: string]: string;
            };
            end_user?: {
                id: string;
                email?: string;
                display_name?: string;
                tags?: {
                    [key: string]: string;
                };
            };
            organization?: {
                id: string;
                display_name?: string;
            };
            integrations_config_defaults?: {
                [key: string]: {
                    user_scopes?: string;
                    authorization_params?: {
                        [key: string]: string;
                    };
                    connection_config?: {
                        oauth_client_id_override?: string;
                        oauth_client_secret_override?: string;
                        oauth_scopes_override?: string;
                        webhook_url?: string;
                    } & {
                        [key: string]: components["schemas"]["JsonValue"];
                    };
                };
            };
            overrides?: {
                [key: string]: {
                    docs_connect?: string;
                };
            };
            choices?: {
                [key: string]: string;
            };
            webhook_url_override?: string;
            return_url?: string;
            allowed_integrations?: string[];
        };
        ReconnectSessionRequest: {
            tags?: {
                [key: string]: string;
            };
            end_user?: {
                id: string;
                email?: string;
                display_name?: string;
                tags?: {
                    [key: string]: string;
                };
            };
            organization?: {
                id: string;
                display_name?: string;
            };
            integrations_config_defaults?: {
                [key: string]: {
                    user_scopes?: string;
                    authorization_params?: {
                        [key: string]: string;
                    };
                    connection_config?: {
                        oauth_client_id_override?: string;
                        oauth_client_secret_override?: string;
                        oauth_scopes_override?: string;
                        webhook_url?: string;
                    } & {
                        [key: string]: components["schemas"]["JsonValue"];
                    };
                };
            };
            overrides?: {
                [key: string]: {
                    docs_connect?: string;
                };
            };
            choices?: {
                [key: string]: string;
            };
            webhook_url_override?: string;
            return_url?: string;
            connection_id: string;
            integration_id: string;
            allow_account_change?: boolean;
        };
        ListedConnection: {
            id: number;
            connection_id: string;
            provider_config_key: string;
            provider: string;
            errors: {
                type: "auth" | "sync";
                log_id: string;
            }[];
            end_user: components["schemas"]["EndUser"] | null;
            metadata: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            connection_config: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            tags: {
                [key: string]: string;
            };
            created_at: string;
            updated_at: string;
            last_fetched_at: string;
            created: string;
        };
        ConnectionHealth: {
            state: "healthy" | "degraded" | "needs_reauth" | "pending";
            cause: ("invalid_credentials" | "provider_unavailable" | "too_many_request" | "refused" | "rotation_response_lost" | "verification_failed" | "client_changed" | "client_refused" | "never_used") | null;
            since: string;
            next_try: string | null;
            is_refreshing: boolean;
            failed_tries: number;
            expires_at: string | null;
            last_refresh_at: string | null;
            call_status: (424 | 503) | null;
            provider_account: {
                id: string;
                name?: string;
                email?: string;
                picture?: string;
            } | null;
            log_id: string | null;
        };
        ConnectionChanges: {
            tags?: {
                [key: string]: string;
            };
            end_user?: {
                id: string;
                email?: string;
                display_name?: string;
                tags?: {
                    [key: string]: string;
                };
            };
            webhook_url_override?: string;
        };
        ConnectionMetadata: {
            connection_id: string | string[];
            provider_config_key: string;
            metadata: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        };
        WebhookMessage: {
            id: string;
            type: string;
            operation: string | null;
            success: boolean | null;
            connection_id: string | null;
            provider_config_key: string | null;
            status: "pending" | "delivered" | "failed" | "paused";
            created_at: string;
            next_attempt_at: string | null;
        };
        WebhookMessageDetails: {
            id: string;
            type: string;
            operation: string | null;
            success: boolean | null;
            connection_id: string | null;
            provider_config_key: string | null;
            status: "pending" | "delivered" | "failed" | "paused";
            created_at: string;
            next_attempt_at: string | null;
            payload: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            attempts: components["schemas"]["WebhookAttempt"][];
        };
        WebhookMessageFilter: {
            status?: "pending" | "delivered" | "failed" | "paused";
            type?: "auth" | "forward" | "test";
            connection_id?: string;
            integration?: string;
            since?: string;
            until?: string;
        };
        InboxEntry: {
            id: number;
            received_at: string;
            headers: {
                [key: string]: string;
            };
            payload: unknown;
            bytes: number;
            signature_valid: boolean;
        };
        Error: {
            error: {
                code: "invalid_json" | "invalid_body" | "invalid_query_params" | "invalid_uri_params" | "invalid_headers" | "connection_test_failed" | "connection_validation_failed" | "invalid_auth_mode" | "integration_not_allowed" | "missing_client_id" | "missing_hmac" | "invalid_hmac" | "missing_api_url" | "address_not_allowed" | "base_url_override_not_allowed" | "webhook_invalid_payload" | "missing_auth_header" | "malformed_auth_header" | "unknown_account" | "unknown_connect_session_token" | "signed_out" | "invalid_login" | "webhook_missing_signature" | "webhook_invalid_signature" | "deprecated_authentication" | "forbidden" | "password_needed" | "factor_needed" | "unknown_connection" | "unknown_provider_config" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "idempotency_mismatch" | "wrong_account" | "payload_too_large" | "uri_too_long" | "invalid_content_type" | "invalid_credentials" | "too_many_request" | "headers_too_large" | "server_error" | "provider_unreachable" | "provider_unavailable" | "draining" | "overloaded" | "storage_unavailable" | "storage_full" | "provider_timeout";
                message: string;
                errors?: {
                    code: string;
                    message: string;
                    path: string[];
                }[];
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        RequestId: string;
        RetryAfter: number;
    };
    pathItems: never;
}
export interface operations {
    getSetupPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
        };
    };
    getLoginPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
        };
    };
    getJoinPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
        };
    };
    getEPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
        };
    };
    getAccountPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
        };
    };
    getDashboardAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                asset: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": unknown;
                };
            };
        };
    };
    getSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            needed: boolean;
                            has_setup_link: boolean;
                            password: boolean;
                            oidc: {
                                name: string;
                            } | null;
                            insecure: boolean;
                        };
                    };
                };
            };
        };
    };
    setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    name: string;
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            name: string;
                            email: string;
                            role: "viewer" | "developer" | "admin";
                            has_password: boolean;
                            factor_kinds: ("totp" | "passkey")[] | null;
                            must_enrol: boolean;
                            confirmed_until: string | null;
                            environments: {
                                name: string;
                                is_production: boolean;
                            }[];
                            version: string;
                            base_url: string;
                            log_retention_days: number;
                            degraded: ("clock_off" | "storage_full") | null;
                        };
                    };
                };
            };
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                    keep?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            name: string;
                            email: string;
                            role: "viewer" | "developer" | "admin";
                            has_password: boolean;
                            factor_kinds: ("totp" | "passkey")[] | null;
                            must_enrol: boolean;
                            confirmed_until: string | null;
                            environments: {
                                name: string;
                                is_production: boolean;
                            }[];
                            version: string;
                            base_url: string;
                            log_retention_days: number;
                            degraded: ("clock_off" | "storage_full") | null;
                        };
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            awaits: "factor";
                            email: string;
                            factor_kinds: ("totp" | "passkey")[];
                        };
                    };
                };
            };
        };
    };
    joinByLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    name?: string;
                    password: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            name: string;
                            email: string;
                            role: "viewer" | "developer" | "admin";
                            has_password: boolean;
                            factor_kinds: ("totp" | "passkey")[] | null;
                            must_enrol: boolean;
                            confirmed_until: string | null;
                            environments: {
                                name: string;
                                is_production: boolean;
                            }[];
                            version: string;
                            base_url: string;
                            log_retention_days: number;
                            degraded: ("clock_off" | "storage_full") | null;
                        };
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            awaits: "factor";
                            email: string;
                            factor_kinds: ("totp" | "passkey")[];
                        };
                    };
                };
            };
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    startOidc: {
        parameters: {
            query?: {
                return?: string;
                anew?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    finishOidc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSecondStep: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            awaits: "factor";
                            email: string;
                            factor_kinds: ("totp" | "passkey")[];
                        };
                    };
                };
            };
        };
    };
    finishLogIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                } | {
                    passkey: {
                        id: string;
                        rawId: string;
                        type: "public-key";
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                        response: {
                            clientDataJSON: string;
                            authenticatorData: string;
                            signature: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            name: string;
                            email: string;
                            role: "viewer" | "developer" | "admin";
                            has_password: boolean;
                            factor_kinds: ("totp" | "passkey")[] | null;
                            must_enrol: boolean;
                            confirmed_until: string | null;
                            environments: {
                                name: string;
                                is_production: boolean;
                            }[];
                            version: string;
                            base_url: string;
                            log_retention_days: number;
                            degraded: ("clock_off" | "storage_full") | null;
                        };
                    };
                };
            };
        };
    };
    askForPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            challenge: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            name: string;
                            email: string;
                            role: "viewer" | "developer" | "admin";
                            has_password: boolean;
                            factor_kinds: ("totp" | "passkey")[] | null;
                            must_enrol: boolean;
                            confirmed_until: string | null;
                            environments: {
                                name: string;
                                is_production: boolean;
                            }[];
                            version: string;
                            base_url: string;
                            log_retention_days: number;
                            degraded: ("clock_off" | "storage_full") | null;
                        };
                    };
                };
            };
        };
    };
    confirmMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                } | {
                    code: string;
                } | {
                    passkey: {
                        id: string;
                        rawId: string;
                        type: "public-key";
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                        response: {
                            clientDataJSON: string;
                            authenticatorData: string;
                            signature: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            confirmed_until: string;
                        };
                    };
                };
            };
        };
    };
    changeMyPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current: string;
                    password: string;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMySessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            created_at: string;
                            last_seen_at: string;
                            address: string;
                            user_agent: string;
                            is_current: boolean;
                        }[];
                    };
                };
            };
        };
    };
    endMySession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMyFactors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            factors: {
                                id: number;
                                kind: "totp" | "passkey";
                                name: string;
                                created_at: string;
                                last_used_at: string | null;
                            }[];
                            recovery_codes_left: number | null;
                            no_passkeys: ("no_https" | "ip_address") | null;
                        };
                    };
                };
            };
        };
    };
    beginTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            secret: string;
                            uri: string;
                            qr: string[];
                        };
                    };
                };
            };
        };
    };
    enrolTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            recovery_codes: string[] | null;
                        };
                    };
                };
            };
        };
    };
    beginPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            challenge: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
    };
    enrolPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    passkey: {
                        id: string;
                        rawId: string;
                        type: "public-key";
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                        response: {
                            clientDataJSON: string;
                            attestationObject: string;
                            transports?: string[];
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            recovery_codes: string[] | null;
                        };
                    };
                };
            };
        };
    };
    removeMyFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    makeRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            recovery_codes: string[];
                        };
                    };
                };
            };
        };
    };
    revealCredentials: {
        parameters: {
            query: {
                provider_config_key: string;
            };
            header?: never;
            path: {
                env: string;
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Connection"];
                    };
                };
            };
        };
    };
    refreshCredentials: {
        parameters: {
            query: {
                provider_config_key: string;
            };
            header?: never;
            path: {
                env: string;
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            connection_id: string;
                            provider_config_key: string;
                            provider: string;
                            errors: {
                                type: "auth" | "sync";
                                log_id: string;
                            }[];
                            end_user: components["schemas"]["EndUser"] | null;
                            metadata: {
                                [key: string]: components["schemas"]["JsonValue"];
                            };
                            connection_config: {
                                [key: string]: components["schemas"]["JsonValue"];
                            };
                            tags: {
                                [key: string]: string;
                            };
                            created_at: string;
                            updated_at: string;
                            last_fetched_at: string;
                            credentials: Record<string, never>;
                        };
                        is_refreshed: boolean;
                    };
                };
            };
        };
    };
    countConnections: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            healthy: number;
                            degraded: number;
                            needs_reauth: number;
                            pending: number;
                            total: number;
                            needs_attention: number;
                        };
                    };
                };
            };
        };
    };
    listConnectionRows: {
        parameters: {
            query?: {
                search?: string;
                integration?: string;
                state?: string;
                sort?: "newest" | "oldest";
                tags?: {
                    [key: string]: string;
                };
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            connection_id: string;
                            provider_config_key: string;
                            integration_name: string;
                            provider: string;
                            logo: string;
                            display_name: string | null;
                            email: string | null;
                            end_user_id: string | null;
                            organization: string | null;
                            provider_account: {
                                id: string;
                                name?: string;
                                email?: string;
                            } | null;
                            state: "healthy" | "degraded" | "needs_reauth" | "pending";
                            created_at: string;
                            last_fetched_at: string | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    importByHand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionImport"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            connection_id: string;
                            provider_config_key: string;
                            provider: string;
                            errors: {
                                type: "auth" | "sync";
                                log_id: string;
                            }[];
                            end_user: components["schemas"]["EndUser"] | null;
                            metadata: {
                                [key: string]: components["schemas"]["JsonValue"];
                            };
                            connection_config: {
                                [key: string]: components["schemas"]["JsonValue"];
                            };
                            tags: {
                                [key: string]: string;
                            };
                            created_at: string;
                            updated_at: string;
                            last_fetched_at: string;
                            credentials: Record<string, never>;
                        };
                    };
                };
            };
        };
    };
    getConnectionStatus: {
        parameters: {
            query: {
                provider_config_key: string;
            };
            header?: never;
            path: {
                env: string;
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            integration: {
                                display_name: string;
                                logo: string;
                            };
                            auth_mode: string;
                            is_refreshable: boolean;
                            last_fetched_at: string | null;
                            scopes: string[] | null;
                            webhook_url_override: string | null;
                        };
                    };
                };
            };
        };
    };
    getCompanyLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/*": unknown;
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    tryProxy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    connection_id: string;
                    provider_config_key: string;
                    method: "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE";
                    path: string;
                    headers?: {
                        [key: string]: string;
                    };
                    body?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            request_id: string;
                            status: number;
                            duration_ms: number;
                            headers: {
                                [key: string]: string;
                            };
                            body: string;
                            truncated: boolean;
                        };
                    };
                };
            };
        };
    };
    getIntegrationsOverview: {
        parameters: {
            query?: {
                search?: string;
                auth_mode?: string;
                sort?: "name" | "updated";
                cursor?: string;
            };
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            unique_key: string;
                            display_name: string;
                            provider: string;
                            auth_mode: string | null;
                            logo: string;
                            forward_webhooks: boolean;
                            has_webhook_secret: boolean | null;
                            updated_at: string;
                            connections: {
                                healthy: number;
                                degraded: number;
                                needs_reauth: number;
                                pending: number;
                            };
                            failures: number;
                        }[];
                        next_cursor: string | null;
                        total: number;
                    };
                };
            };
        };
    };
    getIntegrationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
                uniqueKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            connections: {
                                healthy: number;
                                degraded: number;
                                needs_reauth: number;
                                pending: number;
                            };
                            on_current_client: number;
                            connect_screen: {
                                guide_url: string | null;
                                position: number | null;
                            };
                            provider_fault: string | null;
                            is_shared_app: boolean;
                            client: {
                                client_id?: string | null;
                                scopes?: string;
                                app_id?: string | null;
                                app_link?: string | null;
                                has_client_secret: boolean;
                                has_private_key: boolean;
                                has_webhook_secret: boolean;
                                secrets_set_at: {
                                    client_secret?: string;
                                    private_key?: string;
                                    webhook_secret?: string;
                                };
                            };
                            webhook_address: {
                                checked_at: string | null;
                                verified_at: string | null;
                            };
                            former_clients: {
                                client_id: string | null;
                                replaced_at: string;
                                connections: number;
                            }[];
                        };
                    };
                };
            };
        };
    };
    listReceived: {
        parameters: {
            query?: {
                outcome?: "accepted" | "refused";
                integration?: string;
            };
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            log_id: string;
                            at: string;
                            events: string | null;
                            is_verified: boolean;
                            is_forwarded: boolean;
                            connections: number;
                            provider_config_key: string | null;
                            connection_id: string | null;
                            connection_name: string | null;
                            integration: {
                                unique_key: string;
                                display_name: string;
                                logo: string;
                            } | null;
                            refusal: {
                                code: string;
                                reason: string;
                            } | null;
                        }[];
                        next_cursor: null;
                    };
                };
            };
        };
    };
    listReceivedWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
                uniqueKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            log_id: string;
                            at: string;
                            events: string | null;
                            is_verified: boolean;
                            is_forwarded: boolean;
                            connections: number;
                            provider_config_key: string | null;
                            connection_id: string | null;
                            connection_name: string | null;
                            integration: {
                                unique_key: string;
                                display_name: string;
                                logo: string;
                            } | null;
                            refusal: {
                                code: string;
                                reason: string;
                            } | null;
                        }[];
                    };
                };
            };
        };
    };
    getCatalogue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            auth_modes: {
                                name: string;
                                count: number;
                                integrations: number;
                            }[];
                            own: string[];
                            set_up: {
                                name: string;
                                integrations: number;
                                unique_key: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    getProviderSetup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            callback_url: string | null;
                            unique_key: string;
                            app: string[];
                            shared_app: {
                                scopes: string[];
                                callback_url: string;
                            } | null;
                            webhook_matching: string[] | null;
                            app_need: "required" | "optional" | "none";
                            has_secret_overlap: boolean;
                            scopes_apply: "next_token" | "next_sign_in";
                            way: ("sign_in" | "form" | "none") | null;
                            asked: {
                                title: string;
                                description: string | null;
                            }[];
                            webhook_keys: ("webhook_secret" | "client_secret" | "integration" | "connection" | "handshake" | "provider_key" | "none")[];
                            integrations: number;
                            connections: {
                                healthy: number;
                                degraded: number;
                                needs_reauth: number;
                                pending: number;
                            };
                        };
                    };
                };
            };
        };
    };
    getScriptsOverview: {
        parameters: {
            query?: {
                cursor?: string;
            };
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            unique_key: string;
                            display_name: string;
                            event: "post-connection-creation" | "pre-connection-deletion" | "validate-connection" | "on-webhook";
                            version: number;
                            enabled: boolean;
                            last_run_at: string | null;
                            failures: number;
                        }[];
                        next_cursor: string | null;
                        waiting: number;
                    };
                };
            };
        };
    };
    listScriptVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
                uniqueKey: string;
                event: "post-connection-creation" | "pre-connection-deletion" | "validate-connection" | "on-webhook";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            version: number;
                            language: "typescript" | "javascript";
                            created_at: string;
                        }[];
                    };
                };
            };
        };
    };
    getScriptVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
                uniqueKey: string;
                event: "post-connection-creation" | "pre-connection-deletion" | "validate-connection" | "on-webhook";
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            version: number;
                            language: "typescript" | "javascript";
                            created_at: string;
                            source: string;
                        };
                    };
                };
            };
        };
    };
    listScriptRuns: {
        parameters: {
            query?: {
                connection_id?: string;
            };
            header?: never;
            path: {
                env: string;
                uniqueKey: string;
                event: "post-connection-creation" | "pre-connection-deletion" | "validate-connection" | "on-webhook";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            version: number;
                            connection_id: string | null;
                            status: "done" | "failed" | "killed";
                            started_at: string;
                            duration_ms: number;
                            memory_mb: number;
                            cause: string | null;
                            log: {
                                at: number;
                                level: "debug" | "info" | "warn" | "error";
                                message: string;
                                facts?: components["schemas"]["JsonValue"];
                            }[];
                            connection_name: string | null;
                        }[];
                    };
                };
            };
        };
    };
    getScopeDrift: {
        parameters: {
            query?: {
                cursor?: string;
            };
            header?: never;
            path: {
                env: string;
                uniqueKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            connection_id: string;
                            connection_name: string | null;
                            missing: string[];
                        }[];
                        compared: number;
                        unknown: number;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    testScript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
                uniqueKey: string;
                event: "post-connection-creation" | "pre-connection-deletion" | "validate-connection" | "on-webhook";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    connection_id: string;
                    version: number;
                    webhook?: {
                        type: string;
                        headers?: {
                            [key: string]: string;
                        };
                        verified?: boolean;
                        payload: components["schemas"]["JsonValue"];
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            status: "done" | "failed" | "killed";
                            cause: string | null;
                            error: string | null;
                            result: components["schemas"]["JsonValue"];
                            duration_ms: number;
                            memory_mb: number;
                            log: {
                                at: number;
                                level: "debug" | "info" | "warn" | "error";
                                message: string;
                                facts?: components["schemas"]["JsonValue"];
                            }[];
                            calls: {
                                name: string;
                                method?: string;
                                endpoint?: string;
                                status?: number | null;
                                metadata?: components["schemas"]["JsonValue"];
                                duration_ms: number;
                                error?: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            uuid: string;
                            name: string;
                            is_production: boolean;
                            callback_url: string | null;
                            effective_callback_url: string;
                            webhook_url: string | null;
                            webhook_url_secondary: string | null;
                            webhook_url_since: string | null;
                            inbox_url: string | null;
                            on_new_connection: boolean;
                            on_refresh: boolean;
                            on_deletion: boolean;
                        };
                    };
                };
            };
        };
    };
    changeSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    callback_url?: string | null;
                    webhook_url?: ("inbox" | string) | null;
                    webhook_url_secondary?: string | null;
                    on_new_connection?: boolean;
                    on_refresh?: boolean;
                    on_deletion?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            uuid: string;
                            name: string;
                            is_production: boolean;
                            callback_url: string | null;
                            effective_callback_url: string;
                            webhook_url: string | null;
                            webhook_url_secondary: string | null;
                            webhook_url_since: string | null;
                            inbox_url: string | null;
                            on_new_connection: boolean;
                            on_refresh: boolean;
                            on_deletion: boolean;
                        };
                    };
                };
            };
        };
    };
    checkCallbackUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    callback_url?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            callback_url: string;
                            expected: string;
                            verdict: "own" | "right" | "wrong_status" | "no_redirect" | "query_dropped" | "leads_elsewhere" | "not_reachable" | "not_allowed";
                            status: number | null;
                            location: string | null;
                        };
                    };
                };
            };
        };
    };
    revealSigningKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            secret: string;
                            old_signs_until: string | null;
                        };
                    };
                };
            };
        };
    };
    rotateSigningKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            secret: string;
                            old_signs_until: string | null;
                        };
                    };
                };
            };
        };
    };
    listFailingTargets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            slot: "primary" | "secondary";
                            failures: number;
                            paused_at: string | null;
                            pause_cause: string | null;
                            waiting: number;
                            oldest: string | null;
                        }[];
                    };
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                status?: "pending" | "delivered" | "failed" | "paused";
                type?: "auth" | "forward" | "test";
                connection_id?: string;
                integration?: string;
                since?: string;
                until?: string;
                cursor?: string;
            };
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            type: string;
                            operation: string | null;
                            success: boolean | null;
                            connection_id: string | null;
                            provider_config_key: string | null;
                            status: "pending" | "delivered" | "failed" | "paused";
                            created_at: string;
                            next_attempt_at: string | null;
                            connection_name: string | null;
                            integration: {
                                unique_key: string;
                                display_name: string;
                                logo: string;
                            } | null;
                            attempts: number;
                            response_status: number | null;
                            error: string | null;
                            duration_ms: number | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            type: string;
                            operation: string | null;
                            success: boolean | null;
                            connection_id: string | null;
                            provider_config_key: string | null;
                            status: "pending" | "delivered" | "failed" | "paused";
                            created_at: string;
                            next_attempt_at: string | null;
                            connection_name: string | null;
                            integration: {
                                unique_key: string;
                                display_name: string;
                                logo: string;
                            } | null;
                            attempts: components["schemas"]["WebhookAttempt"][];
                            payload: string;
                        };
                    };
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            name: string;
                            scopes: string[];
                            created_at: string;
                            last_used_at: string | null;
                            expires_at: string | null;
                            last4: string;
                            created_by: string | null;
                        }[];
                    };
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    scopes: ("environment:*" | "environment:integrations:*" | "environment:integrations:list" | "environment:integrations:read" | "environment:integrations:read_credentials" | "environment:integrations:create" | "environment:integrations:update" | "environment:integrations:delete" | "environment:connections:*" | "environment:connections:list" | "environment:connections:read" | "environment:connections:read_credentials" | "environment:connections:create" | "environment:connections:update" | "environment:connections:delete" | "environment:connect_sessions:write" | "environment:proxy" | "environment:proxy:override" | "environment:scripts:*" | "environment:scripts:list" | "environment:scripts:read" | "environment:scripts:write" | "environment:logs:read" | "environment:webhooks:read" | "environment:webhooks:replay" | "environment:variables:read")[];
                    expires_at?: string | null;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            name: string;
                            scopes: string[];
                            created_at: string;
                            last_used_at: string | null;
                            expires_at: string | null;
                            last4: string;
                            created_by: string | null;
                            secret: string;
                        };
                    };
                };
            };
        };
    };
    rollKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    overlap_seconds: 0 | 3600 | 86400 | 604800;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            name: string;
                            scopes: string[];
                            created_at: string;
                            last_used_at: string | null;
                            expires_at: string | null;
                            last4: string;
                            created_by: string | null;
                            secret: string;
                        };
                    };
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    setConnectScreen: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
                uniqueKey: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    guide_url: string | null;
                    position: number | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            guide_url: string | null;
                            position: number | null;
                        };
                    };
                };
            };
        };
    };
    getConnectUi: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            brand_name: string | null;
                            brand_logo_url: string | null;
                            brand_color: string | null;
                            text_color?: string;
                            contrast?: number;
                            brand_radius: number | null;
                            brand_theme: "system" | "light" | "dark";
                            brand_language: ("de" | "en" | "es" | "fr" | "it" | "ja" | "nl" | "pt-br") | null;
                            allowed_origins: string[];
                            frame_ancestors: string[];
                            return_urls: string[];
                        };
                    };
                };
            };
        };
    };
    changeConnectUi: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    brand_name?: string | null;
                    brand_color?: string | null;
                    brand_radius?: number | null;
                    brand_theme?: "system" | "light" | "dark";
                    brand_language?: ("de" | "en" | "es" | "fr" | "it" | "ja" | "nl" | "pt-br") | null;
                    allowed_origins?: string[];
                    return_urls?: string[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            brand_name: string | null;
                            brand_logo_url: string | null;
                            brand_color: string | null;
                            text_color?: string;
                            contrast?: number;
                            brand_radius: number | null;
                            brand_theme: "system" | "light" | "dark";
                            brand_language: ("de" | "en" | "es" | "fr" | "it" | "ja" | "nl" | "pt-br") | null;
                            allowed_origins: string[];
                            frame_ancestors: string[];
                            return_urls: string[];
                        };
                    };
                };
            };
        };
    };
    setBrandLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    logo: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            brand_name: string | null;
                            brand_logo_url: string | null;
                            brand_color: string | null;
                            text_color?: string;
                            contrast?: number;
                            brand_radius: number | null;
                            brand_theme: "system" | "light" | "dark";
                            brand_language: ("de" | "en" | "es" | "fr" | "it" | "ja" | "nl" | "pt-br") | null;
                            allowed_origins: string[];
                            frame_ancestors: string[];
                            return_urls: string[];
                        };
                    };
                };
            };
        };
    };
    deleteBrandLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            brand_name: string | null;
                            brand_logo_url: string | null;
                            brand_color: string | null;
                            text_color?: string;
                            contrast?: number;
                            brand_radius: number | null;
                            brand_theme: "system" | "light" | "dark";
                            brand_language: ("de" | "en" | "es" | "fr" | "it" | "ja" | "nl" | "pt-br") | null;
                            allowed_origins: string[];
                            frame_ancestors: string[];
                            return_urls: string[];
                        };
                    };
                };
            };
        };
    };
    listVariables: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            name: string;
                        }[];
                    };
                };
            };
        };
    };
    setVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    value: string;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    addEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    is_production: boolean;
                    callback_url?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            uuid: string;
                            name: string;
                            is_production: boolean;
                            api_key: string;
                        };
                    };
                };
            };
        };
    };
    removeEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    is_production?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            uuid: string;
                            name: string;
                            is_production: boolean;
                        };
                    };
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            members: {
                                id: number;
                                name: string;
                                email: string;
                                role: "viewer" | "developer" | "admin";
                                has_password: boolean;
                                has_sso: boolean;
                                has_factor: boolean;
                                created_at: string;
                            }[];
                            invitations: {
                                email: string;
                                role: "viewer" | "developer" | "admin";
                                expires_at: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    role: "viewer" | "developer" | "admin";
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            link: string;
                        };
                    };
                };
            };
        };
    };
    withdrawInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                email: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    role: "viewer" | "developer" | "admin";
                };
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    makePasswordLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            link: string;
                        };
                    };
                };
            };
        };
    };
    listAccountKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            name: string;
                            scopes: string[];
                            created_at: string;
                            last_used_at: string | null;
                            expires_at: string | null;
                            last4: string;
                            created_by: string | null;
                        }[];
                    };
                };
            };
        };
    };
    createAccountKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    scopes: ("account:*" | "account:environments:list" | "account:environments:create" | "account:environments:delete" | "account:environments:api_keys:list" | "account:environments:api_keys:create" | "account:environments:api_keys:delete")[];
                    expires_at?: string | null;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            name: string;
                            scopes: string[];
                            created_at: string;
                            last_used_at: string | null;
                            expires_at: string | null;
                            last4: string;
                            created_by: string | null;
                            secret: string;
                        };
                    };
                };
            };
        };
    };
    rollAccountKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    overlap_seconds: 0 | 3600 | 86400 | 604800;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            name: string;
                            scopes: string[];
                            created_at: string;
                            last_used_at: string | null;
                            expires_at: string | null;
                            last4: string;
                            created_by: string | null;
                            secret: string;
                        };
                    };
                };
            };
        };
    };
    revokeAccountKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                action?: "account.create" | "api_key.create" | "api_key.revoke" | "audit.anchor" | "audit.export" | "backup.create" | "backup.restore" | "connection.delete" | "connection.import" | "connection.reconnect_link" | "connection.reveal" | "connection.update" | "encryption_keys.rotate" | "environment.create" | "environment.delete" | "environment.export" | "environment.import" | "environment.update" | "integration.create" | "integration.delete" | "integration.update" | "member.factor_add" | "member.factor_remove" | "member.factor_reset" | "member.invite" | "member.join" | "member.password_change" | "member.password_link" | "member.recovery_code_use" | "member.recovery_codes" | "member.remove" | "member.setup_link" | "member.sign_in" | "member.sign_out" | "member.uninvite" | "member.update" | "script.delete" | "script.deploy" | "script.test" | "script.update" | "webhook_secret.reveal" | "webhook_secret.rotate";
                actor?: "api_key" | "member" | "session" | "script" | "system" | "cli";
                actor_id?: string;
                environment?: string;
                since?: string;
                until?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            sequence: number;
                            at: string;
                            environment: string | null;
                            actor: {
                                kind: string;
                                id: string | null;
                                name: string | null;
                            };
                            action: string;
                            subject: {
                                type: string;
                                id: string | null;
                                name: string | null;
                            };
                            facts: {
                                [key: string]: unknown;
                            };
                            address: string | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    recordAuditExport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    action?: "account.create" | "api_key.create" | "api_key.revoke" | "audit.anchor" | "audit.export" | "backup.create" | "backup.restore" | "connection.delete" | "connection.import" | "connection.reconnect_link" | "connection.reveal" | "connection.update" | "encryption_keys.rotate" | "environment.create" | "environment.delete" | "environment.export" | "environment.import" | "environment.update" | "integration.create" | "integration.delete" | "integration.update" | "member.factor_add" | "member.factor_remove" | "member.factor_reset" | "member.invite" | "member.join" | "member.password_change" | "member.password_link" | "member.recovery_code_use" | "member.recovery_codes" | "member.remove" | "member.setup_link" | "member.sign_in" | "member.sign_out" | "member.uninvite" | "member.update" | "script.delete" | "script.deploy" | "script.test" | "script.update" | "webhook_secret.reveal" | "webhook_secret.rotate";
                    actor?: "api_key" | "member" | "session" | "script" | "system" | "cli";
                    actor_id?: string;
                    environment?: string;
                    since?: string;
                    until?: string;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getInstance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            version: string;
                            base_url: string;
                            database: "embedded" | "external";
                            encryption_key: {
                                current: string;
                                others: string[];
                            };
                            log_retention_days: number;
                            log_max_mb: number;
                            company_logos: string;
                            sign_in: {
                                passwords: boolean;
                                second_factor: "off" | "admins" | "all";
                                provider: {
                                    name: string;
                                    issuer: string;
                                    allowed_domains: string[];
                                    admin_group: string | null;
                                } | null;
                            };
                        };
                    };
                };
            };
        };
    };
    getOnboarding: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            api_key: {
                                name: string;
                                last4: string;
                            } | null;
                            integration: string | null;
                            application: string | null;
                            connection: {
                                connection_id: string;
                                provider_config_key: string;
                                provider: string;
                                auth_mode: string | null;
                            } | null;
                            webhook: {
                                id: string;
                                type: string;
                                status: "pending" | "delivered" | "failed" | "paused";
                                last_attempt: {
                                    at: string;
                                    status: number | null;
                                    error: string | null;
                                } | null;
                            } | null;
                            has_webhook_url: boolean;
                            on_new_connection: boolean;
                            is_webhook_paused: boolean;
                            webhook_held_until: string | null;
                            has_received: boolean;
                            has_proxied: boolean;
                        };
                    };
                };
            };
        };
    };
    getActivity: {
        parameters: {
            query?: {
                period?: "24h" | "14d";
            };
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            buckets: {
                                at: string;
                                proxy: {
                                    total: number;
                                    failed: number;
                                };
                                refresh: {
                                    total: number;
                                    failed: number;
                                };
                                received: {
                                    total: number;
                                    failed: number;
                                };
                                delivery: {
                                    total: number;
                                    failed: number;
                                };
                                script: {
                                    total: number;
                                    failed: number;
                                };
                            }[];
                            attention: components["schemas"]["Attention"][];
                            failures: {
                                type: string;
                                integration: {
                                    unique_key: string;
                                    display_name: string;
                                    logo: string | null;
                                } | null;
                                summary: string;
                                log_id: string;
                                count: number;
                                latest_at: string;
                            }[];
                            busiest: {
                                integration: {
                                    unique_key: string;
                                    display_name: string;
                                    logo: string | null;
                                };
                                total: number;
                                failed: number;
                            }[];
                        };
                    };
                };
            };
        };
    };
    listLogs: {
        parameters: {
            query?: {
                type?: string;
                operation?: string;
                status?: string;
                integration?: string;
                connection_id?: string;
                actor?: "api_key" | "member" | "session" | "script" | "system" | "cli";
                actor_id?: string;
                http_status?: number;
                error_code?: string;
                since?: string;
                until?: string;
                search?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            type: string;
                            operation: string;
                            status: string;
                            created_at: string;
                            ended_at: string | null;
                            duration_ms: number | null;
                            connection_id: string | null;
                            provider_config_key: string | null;
                            summary: string;
                            http_status: number | null;
                            error_code: string | null;
                            actor: {
                                kind: string;
                                id: string | null;
                                name: string | null;
                            };
                            request_id: string | null;
                            connection_name: string | null;
                            integration: {
                                unique_key: string;
                                display_name: string;
                                logo: string;
                            } | null;
                        }[];
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
                env: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            type: string;
                            operation: string;
                            status: string;
                            created_at: string;
                            ended_at: string | null;
                            duration_ms: number | null;
                            connection_id: string | null;
                            provider_config_key: string | null;
                            summary: string;
                            http_status: number | null;
                            error_code: string | null;
                            actor: {
                                kind: string;
                                id: string | null;
                                name: string | null;
                            };
                            request_id: string | null;
                            messages: components["schemas"]["LogMessage"][];
                            connection_name: string | null;
                            integration: {
                                unique_key: string;
                                display_name: string;
                                logo: string;
                            } | null;
                            cause: components["schemas"]["FailureCause"] | null;
                        };
                    };
                };
            };
        };
    };
    getLogCounts: {
        parameters: {
            query?: {
                type?: string;
            };
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            at: string;
                            succeeded: number;
                            failed: number;
                        }[];
                    };
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                search: string;
            };
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            connections: {
                                connection_id: string;
                                provider_config_key: string;
                                integration_name: string;
                                provider: string;
                                logo: string;
                                display_name: string | null;
                                email: string | null;
                                end_user_id: string | null;
                                organization: string | null;
                                provider_account: {
                                    id: string;
                                    name?: string;
                                    email?: string;
                                } | null;
                                state: "healthy" | "degraded" | "needs_reauth" | "pending";
                                created_at: string;
                                last_fetched_at: string | null;
                                tags: {
                                    [key: string]: string;
                                };
                            }[];
                            has_more_connections: boolean;
                            integrations: {
                                unique_key: string;
                                display_name: string;
                                provider: string;
                                logo: string;
                            }[];
                            operations: {
                                id: string;
                                type: string;
                                operation: string;
                                status: string;
                                created_at: string;
                                ended_at: string | null;
                                duration_ms: number | null;
                                connection_id: string | null;
                                provider_config_key: string | null;
                                summary: string;
                                http_status: number | null;
                                error_code: string | null;
                                actor: {
                                    kind: string;
                                    id: string | null;
                                    name: string | null;
                                };
                                request_id: string | null;
                                connection_name: string | null;
                                integration: {
                                    unique_key: string;
                                    display_name: string;
                                    logo: string;
                                } | null;
                            }[];
                            webhook: {
                                id: string;
                                type: string;
                                status: string;
                            } | null;
                        };
                    };
                };
            };
        };
    };
    followLogs: {
        parameters: {
            query?: {
                type?: string;
                operation?: string;
                status?: string;
                integration?: string;
                connection_id?: string;
                actor?: "api_key" | "member" | "session" | "script" | "system" | "cli";
                actor_id?: string;
                http_status?: number;
                error_code?: string;
                since?: string;
                until?: string;
                search?: string;
            };
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
        };
    };
    listProviders: {
        parameters: {
            query?: {
                search?: string;
                category?: string;
                auth_mode?: "OAUTH1" | "OAUTH2" | "OAUTH2_CC" | "BASIC" | "API_KEY" | "NONE" | "TBA" | "APP" | "APP_STORE" | "JWT" | "CUSTOM" | "BILL" | "TWO_STEP" | "SIGNATURE" | "AWS_SIGV4" | "MCP_OAUTH2";
                fields?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                env: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
    listIntegrations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewIntegration"];
            };
        };
        responses: {
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
    createQuickstartIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuickstartIntegration"];
            };
        };
        responses: {
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
                include?: ("webhook" | "credentials" | "config") | ("webhook" | "credentials" | "config")[];
            };
            header?: never;
            path: {
                env: string;
                uniqueKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                env: string;
                uniqueKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                env: string;
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
                env: string;
                uniqueKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                env: string;
                uniqueKey: string;
                event: "post-connection-creation" | "pre-connection-deletion" | "validate-connection" | "on-webhook";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScriptSource"];
            };
        };
        responses: {
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
                env: string;
                uniqueKey: string;
                event: "post-connection-creation" | "pre-connection-deletion" | "validate-connection" | "on-webhook";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                env: string;
                uniqueKey: string;
                event: "post-connection-creation" | "pre-connection-deletion" | "validate-connection" | "on-webhook";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScriptChanges"];
            };
        };
        responses: {
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
    createConnectSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectSessionRequest"];
            };
        };
        responses: {
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
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReconnectSessionRequest"];
            };
        };
        responses: {
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
                tags?: {
                    [key: string]: string;
                };
                connectionId?: string;
                integrationId?: string;
                search?: string;
                endUserId?: string;
                endUserOrganizationId?: string;
                state?: "healthy" | "degraded" | "needs_reauth" | "pending";
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
    getConnection: {
        parameters: {
            query: {
                provider_config_key: string;
                force_refresh?: boolean | "strict";
                refresh_token?: boolean;
                include?: "webhook";
                refresh_github_app_jwt_token?: boolean;
            };
            header?: never;
            path: {
                env: string;
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                provider_config_key: string;
            };
            header?: never;
            path: {
                env: string;
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                provider_config_key: string;
            };
            header?: never;
            path: {
                env: string;
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
                provider_config_key: string;
            };
            header?: never;
            path: {
                env: string;
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionMetadata"];
            };
        };
        responses: {
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
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionMetadata"];
            };
        };
        responses: {
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
    listWebhookMessages: {
        parameters: {
            query?: {
                status?: "pending" | "delivered" | "failed" | "paused";
                type?: "auth" | "forward" | "test";
                connection_id?: string;
                integration?: string;
                since?: string;
                until?: string;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                env: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                env: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: true;
                        is_held: boolean;
                    };
                };
            };
        };
    };
    replayWebhookMessages: {
        parameters: {
            query?: {
                status?: "pending" | "delivered" | "failed" | "paused";
                type?: "auth" | "forward" | "test";
                connection_id?: string;
                integration?: string;
                since?: string;
                until?: string;
            };
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookMessageFilter"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            count: number;
                            has_more: boolean;
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
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    type: "auth" | "forward";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            is_held: boolean;
                        };
                    };
                };
            };
        };
    };
    listWebhookInbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            path: {
                env: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
