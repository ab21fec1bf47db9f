// Made from schemas/openapi.json by npm run openapi.

export type paths = {
    "/api/v1/bikes/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Bikes
         * @description Every record, by ascending `id` or as `ordering` says.
         */
        get: operations["listBikes"];
        put?: never;
        post?: never;
        delete?: never;
        /**
         * Metadata of the list of bikes
         * @description The name of the list and its formats. The response to a CORS preflight is 204 instead.
         */
        options: operations["describeBikes"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bikes/featured/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Featured bikes
         * @description Every bike whose `is_featured` is true, by ascending `id`; `ordering` is ignored here.
         */
        get: operations["listFeaturedBikes"];
        put?: never;
        post?: never;
        delete?: never;
        /**
         * Metadata of the list of featured bikes
         * @description The name of the list and its formats. The response to a CORS preflight is 204 instead.
         */
        options: operations["describeFeaturedBikes"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wheels/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Wheels
         * @description Every record, by ascending `id` or as `ordering` says.
         */
        get: operations["listWheels"];
        put?: never;
        post?: never;
        delete?: never;
        /**
         * Metadata of the list of wheels
         * @description The name of the list and its formats. The response to a CORS preflight is 204 instead.
         */
        options: operations["describeWheels"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tyres/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tyres
         * @description Every record, by ascending `id` or as `ordering` says.
         */
        get: operations["listTyres"];
        put?: never;
        post?: never;
        delete?: never;
        /**
         * Metadata of the list of tyres
         * @description The name of the list and its formats. The response to a CORS preflight is 204 instead.
         */
        options: operations["describeTyres"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chains/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Chains
         * @description Every record, by ascending `id` or as `ordering` says.
         */
        get: operations["listChains"];
        put?: never;
        post?: never;
        delete?: never;
        /**
         * Metadata of the list of chains
         * @description The name of the list and its formats. The response to a CORS preflight is 204 instead.
         */
        options: operations["describeChains"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groupsets/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Groupsets
         * @description Every record, by ascending `id` or as `ordering` says.
         */
        get: operations["listGroupsets"];
        put?: never;
        post?: never;
        delete?: never;
        /**
         * Metadata of the list of groupsets
         * @description The name of the list and its formats. The response to a CORS preflight is 204 instead.
         */
        options: operations["describeGroupsets"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/brakes/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Brakes
         * @description Every record, by ascending `id`; `ordering` is ignored here.
         */
        get: operations["listBrakes"];
        put?: never;
        post?: never;
        delete?: never;
        /**
         * Metadata of the list of brakes
         * @description The name of the list and its formats. The response to a CORS preflight is 204 instead.
         */
        options: operations["describeBrakes"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/saddles/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Saddles
         * @description Every record, by ascending `id`; `ordering` is ignored here.
         */
        get: operations["listSaddles"];
        put?: never;
        post?: never;
        delete?: never;
        /**
         * Metadata of the list of saddles
         * @description The name of the list and its formats. The response to a CORS preflight is 204 instead.
         */
        options: operations["describeSaddles"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/handlebars/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Handlebars
         * @description Every record, by ascending `id`; `ordering` is ignored here.
         */
        get: operations["listHandlebars"];
        put?: never;
        post?: never;
        delete?: never;
        /**
         * Metadata of the list of handlebars
         * @description The name of the list and its formats. The response to a CORS preflight is 204 instead.
         */
        options: operations["describeHandlebars"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/bikes/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Bikes in comprehensive detail
         * @description Every record, by ascending `id` or as `ordering` says. Filters narrow together. A token is needed.
         */
        get: operations["listBikesV2"];
        put?: never;
        post?: never;
        delete?: never;
        /**
         * Metadata of the list of bikes
         * @description The name of the list and its formats. The response to a CORS preflight is 204 instead.
         */
        options: operations["describeBikesV2"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The form that issues tokens
         * @description A page for a person.
         */
        get: operations["readTokenForm"];
        put?: never;
        /**
         * Issue a token
         * @description A program that accepts `application/json` gets the token as JSON. No account is needed. Where the server limits requests, one address gets 10 tokens a minute.
         */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
};
export type webhooks = Record<string, never>;
export type components = {
    schemas: {
        /** @description A bike with its wheels, tyre and groupset */
        Bike: {
            /** @description Unique within its resource */
            id: number;
            category: components["schemas"]["Category"];
            wheels: components["schemas"]["Wheel"] | null;
            tyre: components["schemas"]["Tyre"] | null;
            groupset: components["schemas"]["Groupset"] | null;
            /** @description Always null in v1 */
            rating: null;
            review_count: number;
            /**
             * Format: uri
             * @description Absolute URL
             */
            image_url: string | null;
            /** @description Always empty in v1 */
            reviews: unknown[];
            title: string;
            slug: string;
            /** @description May hold CRLF line ends */
            description: string;
            brand: string;
            model_name: string;
            year: number;
            /**
             * Format: uri
             * @description Absolute URL
             */
            featured_image: string;
            /**
             * Format: uri
             * @description Absolute URL
             */
            images: string | null;
            /** @description May be empty */
            colour: string;
            /** @description May be empty */
            frame_material: string;
            /** @description Free text; may be empty */
            frame_size: string;
            /** @description Always null in v1 */
            weight_kg: null;
            /** @description Observed: turbo, road, gravel, fixed-gear, Time Trial; the same as category.slug */
            bike_type: string;
            chainring_sizes: string;
            /** @description May be empty */
            chainring_other: string;
            /** @constant */
            status: "published";
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with a trailing Z, fractional seconds optional
             * @example 2025-04-18T07:12:45Z
             */
            date_added: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with a trailing Z, fractional seconds optional
             * @example 2025-04-18T07:12:45Z
             */
            date_updated: string;
            is_featured: boolean;
            view_count: number;
            favorites_count: number;
            /** @description May be empty */
            meta_description: string;
            /** @description May be empty */
            meta_keywords: string;
            /** @description Gear identifier at the fitness-tracking service */
            fitness_gear_id: string;
            /** @description Decimal number with two fraction digits */
            fitness_lifetime_distance: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with a trailing Z, fractional seconds optional
             * @example 2025-04-18T07:12:45Z
             */
            fitness_last_synced: string;
            /** @description Unique within its resource */
            crankset_ref: number | null;
            /** @description Unique within its resource */
            saddle: number | null;
            /** @description Unique within its resource */
            handlebars: number | null;
            /** @description Id of the user who added the bike */
            added_by: number;
            /** @description Ids of other bikes */
            similar_bikes: number[];
        };
        /** @description A pair of wheels */
        Wheel: {
            /** @description Unique within its resource */
            id: number;
            /**
             * Format: uri
             * @description Absolute URL
             */
            image_url: string | null;
            /**
             * Format: uri
             * @description Absolute URL
             */
            images: string | null;
            /** @description Placeholders such as "Unknown Brand" or "N/A" occur */
            brand_name: string;
            model_name: string;
            description: string;
            /** @description Millimetres as text, or "N/A" */
            internal_rim_width: string;
            /** @description Millimetres as text, or "N/A" */
            external_rim_width: string;
            /** @description 0 where there are no spokes */
            spokecount: number;
            spoke_material: string;
            /** @description Millimetres as text, with or without a unit, or "N/A" */
            rimdepth: string;
            /** @description Front axle size, free text */
            axlesizeF: string;
            /** @description Rear axle size, free text */
            axlesizeR: string;
            weight_grams: number;
            /** @description Observed: "Rim brake", "Disc Brake" */
            brake_type: string;
        };
        /** @description A tyre */
        Tyre: {
            /** @description Unique within its resource */
            id: number;
            /**
             * Format: uri
             * @description Absolute URL
             */
            image_url: string | null;
            /**
             * Format: uri
             * @description Absolute URL
             */
            images: string | null;
            description: string;
            /** @description A width with unit, a pair separated by a slash, or "0" */
            width: string;
            colour: string;
            brand_name: string;
            model_name: string;
            weight_grams: number;
            tread_pattern: string;
            /** @description Free text; may be empty */
            puncture_resistance: string;
        };
        /** @description A chain or belt */
        Chain: {
            /** @description Unique within its resource */
            id: number;
            /**
             * Format: uri
             * @description Absolute URL
             */
            image_url: string | null;
            /**
             * Format: uri
             * @description Absolute URL
             */
            images: string | null;
            model_name: string;
            /** @description 0 for a belt drive */
            links_count: number;
            brand_name: string;
            colour: string;
            /** @description A number, a number with "-speed", or "N/A" */
            speed_compatibility: string;
        };
        /** @description A groupset with its chain */
        Groupset: {
            /** @description Unique within its resource */
            id: number;
            chain: components["schemas"]["Chain"];
            /**
             * Format: uri
             * @description Absolute URL
             */
            image_url: string | null;
            /**
             * Format: uri
             * @description Absolute URL
             */
            images: string | null;
            model_name: string;
            brand_name: string;
            /** @description Free text; "Rim brake" for rim-brake sets */
            rotor_size: string;
            Chainring_sizes: string;
            other: string;
            /** @description May be empty */
            chainring_other: string;
            speed: string;
            weight_grams: number;
            is_electronic: boolean;
            /** @description Unique within its resource */
            crankset_ref: number | null;
        };
        /** @description A pair of brakes */
        Brake: {
            /** @description Unique within its resource */
            id: number;
            brand: string;
            model: string;
        };
        /** @description A saddle */
        Saddle: {
            /** @description Unique within its resource */
            id: number;
            brand: string;
            model: string;
        };
        /** @description A handlebar */
        Handlebar: {
            /** @description Unique within its resource */
            id: number;
            brand: string;
            model: string;
        };
        /** @description A bike in comprehensive detail */
        DetailedBike: {
            /** @description Unique within its resource */
            id: number;
            category: components["schemas"]["Category"];
            wheels: components["schemas"]["Wheel"] | null;
            tyre: components["schemas"]["Tyre"] | null;
            groupset: components["schemas"]["Groupset"] | null;
            /** @description Mean of the reviews, one decimal */
            rating: number | null;
            review_count: number;
            /**
             * Format: uri
             * @description Absolute URL
             */
            image_url: string | null;
            reviews: components["schemas"]["Review"][];
            title: string;
            slug: string;
            /** @description May hold CRLF line ends */
            description: string;
            brand: string;
            model_name: string;
            year: number;
            /**
             * Format: uri
             * @description Absolute URL
             */
            featured_image: string;
            /**
             * Format: uri
             * @description Absolute URL
             */
            images: string | null;
            /** @description May be empty */
            colour: string;
            /** @description May be empty */
            frame_material: string;
            /** @description Free text; may be empty */
            frame_size: string;
            /** @description Decimal number with two fraction digits */
            weight_kg: string | null;
            /** @description Observed: turbo, road, gravel, fixed-gear, Time Trial; the same as category.slug */
            bike_type: string;
            chainring_sizes: string;
            /** @description May be empty */
            chainring_other: string;
            /** @constant */
            status: "published";
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with a trailing Z, fractional seconds optional
             * @example 2025-04-18T07:12:45Z
             */
            date_added: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with a trailing Z, fractional seconds optional
             * @example 2025-04-18T07:12:45Z
             */
            date_updated: string;
            is_featured: boolean;
            view_count: number;
            favorites_count: number;
            /** @description May be empty */
            meta_description: string;
            /** @description May be empty */
            meta_keywords: string;
            /** @description Gear identifier at the fitness-tracking service */
            fitness_gear_id: string;
            /** @description Decimal number with two fraction digits */
            fitness_lifetime_distance: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with a trailing Z, fractional seconds optional
             * @example 2025-04-18T07:12:45Z
             */
            fitness_last_synced: string;
            /** @description Unique within its resource */
            crankset_ref: number | null;
            /** @description Unique within its resource */
            saddle: number | null;
            /** @description Unique within its resource */
            handlebars: number | null;
            /** @description Id of the user who added the bike */
            added_by: number;
            /** @description Ids of other bikes */
            similar_bikes: number[];
            /** @description Decimal number with two fraction digits */
            price: string | null;
            components: components["schemas"]["Components"];
            related: components["schemas"]["RelatedBikes"];
            usage: components["schemas"]["Usage"];
            rating_distribution: components["schemas"]["RatingDistribution"];
            /** @description Full resolution, one entry a format */
            image_formats: components["schemas"]["PictureFile"][];
            /** @description The groups of the category first */
            specifications: components["schemas"]["SpecificationGroup"][];
        };
        /** @description A category of bikes */
        Category: {
            slug: string;
            name: string;
        };
        /** @description The parts that v1 knows only by id */
        Components: {
            crankset: components["schemas"]["DetailedCrankset"] | null;
            saddle: components["schemas"]["DetailedSaddle"] | null;
            handlebars: components["schemas"]["DetailedHandlebar"] | null;
            brakes: components["schemas"]["DetailedBrake"] | null;
            /** @description Sum over these parts and the wheels, tyre and groupset */
            total_weight_grams: number;
        };
        /** @description A crankset with its weight and measurements */
        DetailedCrankset: {
            /** @description Unique within its resource */
            id: number;
            brand: string;
            model: string;
            weight_grams: number;
            /** @description Millimetres, by the name of the thing measured */
            measurements: {
                [key: string]: number;
            };
        };
        /** @description A saddle with its weight and measurements */
        DetailedSaddle: {
            /** @description Unique within its resource */
            id: number;
            brand: string;
            model: string;
            weight_grams: number;
            /** @description Millimetres, by the name of the thing measured */
            measurements: {
                [key: string]: number;
            };
        };
        /** @description A handlebar with its weight and measurements */
        DetailedHandlebar: {
            /** @description Unique within its resource */
            id: number;
            brand: string;
            model: string;
            weight_grams: number;
            /** @description Millimetres, by the name of the thing measured */
            measurements: {
                [key: string]: number;
            };
        };
        /** @description A pair of brakes with its weight and measurements */
        DetailedBrake: {
            /** @description Unique within its resource */
            id: number;
            brand: string;
            model: string;
            weight_grams: number;
            /** @description Millimetres, by the name of the thing measured */
            measurements: {
                [key: string]: number;
            };
        };
        /** @description Bikes that lead on from this one */
        RelatedBikes: {
            similar_bikes: components["schemas"]["BikeSummary"][];
            same_brand: components["schemas"]["BikeSummary"][];
        };
        /** @description A bike as the overview depicts it */
        BikeSummary: {
            /** @description Unique within its resource */
            id: number;
            name: string;
            /** @description Decimal number with two fraction digits */
            price: string | null;
            description: string;
            type: string;
            /**
             * Format: uri
             * @description Absolute URL
             */
            image_url: string | null;
        };
        /** @description How a bike is looked at and ridden */
        Usage: {
            view_count: number;
            favorites_count: number;
            fitness: components["schemas"]["Fitness"];
        };
        /** @description What the fitness-tracking service knows of a bike */
        Fitness: {
            gear_id: string;
            /** @description Decimal number with two fraction digits */
            lifetime_distance: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with a trailing Z, fractional seconds optional
             * @example 2025-04-18T07:12:45Z
             */
            last_synced: string;
        };
        /** @description What a rider says of a bike */
        Review: {
            /** @description Unique within its resource */
            id: number;
            author: string;
            rating: number;
            title: string;
            body: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with a trailing Z, fractional seconds optional
             * @example 2025-04-18T07:12:45Z
             */
            date_added: string;
        };
        /** @description Number of reviews by rating */
        RatingDistribution: {
            1: number;
            2: number;
            3: number;
            4: number;
            5: number;
        };
        /** @description One file of a picture */
        PictureFile: {
            /** @enum {string} */
            format: "jpeg" | "webp" | "avif" | "png";
            /**
             * Format: uri
             * @description Absolute URL
             */
            url: string;
            /** @description Pixels */
            width: number;
            /** @description Pixels */
            height: number;
            /** @description Size of the file */
            bytes: number;
        };
        /** @description Specifications that belong together */
        SpecificationGroup: {
            name: string;
            items: components["schemas"]["SpecificationItem"][];
        };
        /** @description One specification; the unit is null where the value has none */
        SpecificationItem: {
            label: string;
            value: string;
            unit: string | null;
        };
        /** @description The whole list */
        BikeArray: components["schemas"]["Bike"][];
        /** @description The whole list */
        WheelArray: components["schemas"]["Wheel"][];
        /** @description The whole list */
        TyreArray: components["schemas"]["Tyre"][];
        /** @description The whole list */
        ChainArray: components["schemas"]["Chain"][];
        /** @description The whole list */
        GroupsetArray: components["schemas"]["Groupset"][];
        /** @description The whole list */
        BrakeArray: components["schemas"]["Brake"][];
        /** @description The whole list */
        SaddleArray: components["schemas"]["Saddle"][];
        /** @description The whole list */
        HandlebarArray: components["schemas"]["Handlebar"][];
        /** @description The whole list */
        DetailedBikeArray: components["schemas"]["DetailedBike"][];
        /** @description One page of the list */
        BikePage: {
            /** @description Records in the whole list */
            count: number;
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["Bike"][];
        };
        /** @description One page of the list */
        WheelPage: {
            /** @description Records in the whole list */
            count: number;
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["Wheel"][];
        };
        /** @description One page of the list */
        TyrePage: {
            /** @description Records in the whole list */
            count: number;
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["Tyre"][];
        };
        /** @description One page of the list */
        ChainPage: {
            /** @description Records in the whole list */
            count: number;
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["Chain"][];
        };
        /** @description One page of the list */
        GroupsetPage: {
            /** @description Records in the whole list */
            count: number;
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["Groupset"][];
        };
        /** @description One page of the list */
        BrakePage: {
            /** @description Records in the whole list */
            count: number;
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["Brake"][];
        };
        /** @description One page of the list */
        SaddlePage: {
            /** @description Records in the whole list */
            count: number;
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["Saddle"][];
        };
        /** @description One page of the list */
        HandlebarPage: {
            /** @description Records in the whole list */
            count: number;
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["Handlebar"][];
        };
        /** @description One page of the list */
        DetailedBikePage: {
            /** @description Records in the whole list */
            count: number;
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["DetailedBike"][];
        };
        /** @description What a list says of itself */
        Metadata: {
            name: string;
            description: string;
            renders: string[];
            parses: string[];
        };
        /** @description What went wrong */
        Detail: {
            detail: string;
        };
        /** @description What is wrong with each parameter that cannot be read */
        FieldErrors: {
            [key: string]: string[];
        };
        /** @description A new token; it is shown once */
        IssuedToken: {
            token: string;
            /** @description The label as sent, trimmed */
            label: string;
            /** @description A command that uses the token */
            curl: string;
        };
    };
    responses: {
        /** @description Too many parameters, an invalid Host, or, with `Prefer: handling=strict`, parameters that the list would ignore */
        BadRequest: {
            headers: {
                Allow: components["headers"]["Allow"];
                Vary: components["headers"]["Vary"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "Cache-Control": components["headers"]["NoStore"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Preference-Applied": components["headers"]["PreferenceApplied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FieldErrors"] | components["schemas"]["Detail"];
            };
        };
        /** @description Invalid values of filters, too many parameters, an invalid Host, or, with `Prefer: handling=strict`, parameters that the list would ignore */
        BadFilter: {
            headers: {
                Allow: components["headers"]["Allow"];
                Vary: components["headers"]["Vary"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "Cache-Control": components["headers"]["NoStore"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Preference-Applied": components["headers"]["PreferenceApplied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FieldErrors"] | components["schemas"]["Detail"];
            };
        };
        /** @description No token, or an invalid one; invalid ones count against the address */
        Unauthorized: {
            headers: {
                Allow: components["headers"]["Allow"];
                Vary: components["headers"]["Vary"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "Cache-Control": components["headers"]["NoStore"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Detail"];
            };
        };
        /** @description No such page, or no such format */
        NotFound: {
            headers: {
                Allow: components["headers"]["Allow"];
                Vary: components["headers"]["Vary"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "Cache-Control": components["headers"]["NoStore"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Detail"];
            };
        };
        /** @description Any method but `GET`, `HEAD` and `OPTIONS` */
        MethodNotAllowed: {
            headers: {
                Allow: components["headers"]["Allow"];
                Vary: components["headers"]["Vary"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "Cache-Control": components["headers"]["NoStore"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Detail"];
            };
        };
        /** @description The server has no format that `Accept` accepts, or, where it compresses, no coding that `Accept-Encoding` accepts */
        NotAcceptable: {
            headers: {
                Allow: components["headers"]["Allow"];
                Vary: components["headers"]["Vary"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "Cache-Control": components["headers"]["NoStore"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Detail"];
            };
        };
        /** @description Rate limit exceeded, where the server has one */
        TooManyRequests: {
            headers: {
                Allow: components["headers"]["Allow"];
                Vary: components["headers"]["Vary"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "Cache-Control": components["headers"]["NoStore"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Detail"];
            };
        };
        /** @description The server is overloaded */
        Unavailable: {
            headers: {
                Allow: components["headers"]["Allow"];
                Vary: components["headers"]["Vary"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "Cache-Control": components["headers"]["NoStore"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Detail"];
            };
        };
        /** @description An error of the server */
        ServerError: {
            headers: {
                Allow: components["headers"]["Allow"];
                Vary: components["headers"]["Vary"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "Cache-Control": components["headers"]["NoStore"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Detail"];
            };
        };
        /** @description The response to a CORS preflight, which needs no token and is not counted */
        Preflight: {
            headers: {
                Allow: components["headers"]["Allow"];
                Vary: components["headers"]["Vary"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                /**
                 * @description The methods that scripts of other origins may use
                 * @example GET, HEAD, OPTIONS
                 */
                "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS";
                /**
                 * @description The headers that they may send
                 * @example Authorization, Prefer, *
                 */
                "Access-Control-Allow-Headers": "Authorization, Prefer, *";
                /**
                 * @description For how many seconds browsers cache this
                 * @example 86400
                 */
                "Access-Control-Max-Age": number;
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The name of the list and its formats */
        Metadata: {
            headers: {
                Allow: components["headers"]["Allow"];
                Vary: components["headers"]["Vary"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Metadata"];
            };
        };
    };
    parameters: {
        /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
        Format: "json";
        /** @description Asks for one page of the list, from 1, in an envelope; `last` is a page too. Without it the response is the plain array, or the first page if the server always pages. */
        Page: number | "last";
        /** @description Records on a page; ignored if the response is the plain array. */
        PageSize: number;
        /** @description The `ETag` of an earlier response of the same URL; if nothing changed the response is 304. */
        IfNoneMatch: string;
        /** @description With `handling=strict` (RFC 7240) a list answers 400 to parameters that it would ignore. */
        Prefer: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The methods of this address
         * @example GET, HEAD, OPTIONS
         */
        Allow: "GET, HEAD, OPTIONS";
        /**
         * @description The headers of the request that the response depends on
         * @example Accept
         */
        Vary: "Accept" | "Accept, Accept-Encoding";
        /**
         * @description The coding of the body, where the server compresses and `Accept-Encoding` accepts it
         * @example br
         */
        ContentEncoding: "br" | "gzip";
        /**
         * @description The tag of this representation; valid for its own URL only
         * @example "Xf3BLxJvKwVtb7mQk2d0aYpQeJc"
         */
        ETag: string;
        /**
         * @description When the data last changed
         * @example Sat, 14 Jun 2025 09:30:00 GMT
         */
        LastModified: string;
        /**
         * @description Errors are not cached
         * @example no-store
         */
        NoStore: "no-store";
        /**
         * @description Requests a minute; where the server limits requests
         * @example 60
         */
        RateLimitLimit: number;
        /**
         * @description Requests left in this minute; where the server limits requests
         * @example 59
         */
        RateLimitRemaining: number;
        /**
         * @description Seconds until the minute ends; where the server limits requests
         * @example 60
         */
        RateLimitReset: number;
        /**
         * @description Seconds to wait
         * @example 37
         */
        RetryAfter: number;
        /**
         * @description The scheme of the wanted credentials
         * @example Token
         */
        WwwAuthenticate: "Token";
        /**
         * @description The part of `Prefer` that the server applied
         * @example handling=strict
         */
        PreferenceApplied: "handling=strict";
        /**
         * @description Scripts of any origin may read the response
         * @example *
         */
        AllowOrigin: "*";
        /**
         * @description The headers that scripts of other origins may read
         * @example ETag, Preference-Applied, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset
         */
        ExposeHeaders: "ETag, Preference-Applied, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";
    };
    pathItems: never;
};
export type $defs = Record<string, never>;
export interface operations {
    listBikes: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
                /** @description The field to order by; a leading `-` reverses. Without it the order is by ascending `id`. */
                ordering?: "title" | "-title";
                /** @description Asks for one page of the list, from 1, in an envelope; `last` is a page too. Without it the response is the plain array, or the first page if the server always pages. */
                page?: components["parameters"]["Page"];
                /** @description Records on a page; ignored if the response is the plain array. */
                page_size?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The `ETag` of an earlier response of the same URL; if nothing changed the response is 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description With `handling=strict` (RFC 7240) a list answers 400 to parameters that it would ignore. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list as a plain array, or one page of it where `page` asks for one or the server always pages */
            200: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 120 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=120
                     */
                    "Cache-Control": "public, max-age=120" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BikeArray"] | components["schemas"]["BikePage"];
                };
            };
            /** @description Nothing changed since the response with the tag of `If-None-Match` */
            304: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 120 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=120
                     */
                    "Cache-Control": "public, max-age=120" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    describeBikes: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Metadata"];
            204: components["responses"]["Preflight"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listFeaturedBikes: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
                /** @description Asks for one page of the list, from 1, in an envelope; `last` is a page too. Without it the response is the plain array, or the first page if the server always pages. */
                page?: components["parameters"]["Page"];
                /** @description Records on a page; ignored if the response is the plain array. */
                page_size?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The `ETag` of an earlier response of the same URL; if nothing changed the response is 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description With `handling=strict` (RFC 7240) a list answers 400 to parameters that it would ignore. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list as a plain array, or one page of it where `page` asks for one or the server always pages */
            200: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 120 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=120
                     */
                    "Cache-Control": "public, max-age=120" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BikeArray"] | components["schemas"]["BikePage"];
                };
            };
            /** @description Nothing changed since the response with the tag of `If-None-Match` */
            304: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 120 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=120
                     */
                    "Cache-Control": "public, max-age=120" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    describeFeaturedBikes: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Metadata"];
            204: components["responses"]["Preflight"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listWheels: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
                /** @description The field to order by; a leading `-` reverses. Without it the order is by ascending `id`. */
                ordering?: "brand_name" | "-brand_name";
                /** @description Asks for one page of the list, from 1, in an envelope; `last` is a page too. Without it the response is the plain array, or the first page if the server always pages. */
                page?: components["parameters"]["Page"];
                /** @description Records on a page; ignored if the response is the plain array. */
                page_size?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The `ETag` of an earlier response of the same URL; if nothing changed the response is 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description With `handling=strict` (RFC 7240) a list answers 400 to parameters that it would ignore. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list as a plain array, or one page of it where `page` asks for one or the server always pages */
            200: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 300 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=300
                     */
                    "Cache-Control": "public, max-age=300" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WheelArray"] | components["schemas"]["WheelPage"];
                };
            };
            /** @description Nothing changed since the response with the tag of `If-None-Match` */
            304: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 300 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=300
                     */
                    "Cache-Control": "public, max-age=300" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    describeWheels: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Metadata"];
            204: components["responses"]["Preflight"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listTyres: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
                /** @description The field to order by; a leading `-` reverses. Without it the order is by ascending `id`. */
                ordering?: "brand_name" | "-brand_name";
                /** @description Asks for one page of the list, from 1, in an envelope; `last` is a page too. Without it the response is the plain array, or the first page if the server always pages. */
                page?: components["parameters"]["Page"];
                /** @description Records on a page; ignored if the response is the plain array. */
                page_size?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The `ETag` of an earlier response of the same URL; if nothing changed the response is 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description With `handling=strict` (RFC 7240) a list answers 400 to parameters that it would ignore. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list as a plain array, or one page of it where `page` asks for one or the server always pages */
            200: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 300 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=300
                     */
                    "Cache-Control": "public, max-age=300" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TyreArray"] | components["schemas"]["TyrePage"];
                };
            };
            /** @description Nothing changed since the response with the tag of `If-None-Match` */
            304: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 300 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=300
                     */
                    "Cache-Control": "public, max-age=300" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    describeTyres: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Metadata"];
            204: components["responses"]["Preflight"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listChains: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
                /** @description The field to order by; a leading `-` reverses. Without it the order is by ascending `id`. */
                ordering?: "brand_name" | "-brand_name";
                /** @description Asks for one page of the list, from 1, in an envelope; `last` is a page too. Without it the response is the plain array, or the first page if the server always pages. */
                page?: components["parameters"]["Page"];
                /** @description Records on a page; ignored if the response is the plain array. */
                page_size?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The `ETag` of an earlier response of the same URL; if nothing changed the response is 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description With `handling=strict` (RFC 7240) a list answers 400 to parameters that it would ignore. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list as a plain array, or one page of it where `page` asks for one or the server always pages */
            200: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 300 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=300
                     */
                    "Cache-Control": "public, max-age=300" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainArray"] | components["schemas"]["ChainPage"];
                };
            };
            /** @description Nothing changed since the response with the tag of `If-None-Match` */
            304: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 300 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=300
                     */
                    "Cache-Control": "public, max-age=300" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    describeChains: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Metadata"];
            204: components["responses"]["Preflight"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listGroupsets: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
                /** @description The field to order by; a leading `-` reverses. Without it the order is by ascending `id`. */
                ordering?: "brand_name" | "-brand_name";
                /** @description Asks for one page of the list, from 1, in an envelope; `last` is a page too. Without it the response is the plain array, or the first page if the server always pages. */
                page?: components["parameters"]["Page"];
                /** @description Records on a page; ignored if the response is the plain array. */
                page_size?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The `ETag` of an earlier response of the same URL; if nothing changed the response is 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description With `handling=strict` (RFC 7240) a list answers 400 to parameters that it would ignore. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list as a plain array, or one page of it where `page` asks for one or the server always pages */
            200: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 300 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=300
                     */
                    "Cache-Control": "public, max-age=300" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupsetArray"] | components["schemas"]["GroupsetPage"];
                };
            };
            /** @description Nothing changed since the response with the tag of `If-None-Match` */
            304: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 300 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=300
                     */
                    "Cache-Control": "public, max-age=300" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    describeGroupsets: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Metadata"];
            204: components["responses"]["Preflight"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listBrakes: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
                /** @description Asks for one page of the list, from 1, in an envelope; `last` is a page too. Without it the response is the plain array, or the first page if the server always pages. */
                page?: components["parameters"]["Page"];
                /** @description Records on a page; ignored if the response is the plain array. */
                page_size?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The `ETag` of an earlier response of the same URL; if nothing changed the response is 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description With `handling=strict` (RFC 7240) a list answers 400 to parameters that it would ignore. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list as a plain array, or one page of it where `page` asks for one or the server always pages */
            200: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 300 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=300
                     */
                    "Cache-Control": "public, max-age=300" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrakeArray"] | components["schemas"]["BrakePage"];
                };
            };
            /** @description Nothing changed since the response with the tag of `If-None-Match` */
            304: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 300 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=300
                     */
                    "Cache-Control": "public, max-age=300" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    describeBrakes: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Metadata"];
            204: components["responses"]["Preflight"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listSaddles: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
                /** @description Asks for one page of the list, from 1, in an envelope; `last` is a page too. Without it the response is the plain array, or the first page if the server always pages. */
                page?: components["parameters"]["Page"];
                /** @description Records on a page; ignored if the response is the plain array. */
                page_size?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The `ETag` of an earlier response of the same URL; if nothing changed the response is 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description With `handling=strict` (RFC 7240) a list answers 400 to parameters that it would ignore. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list as a plain array, or one page of it where `page` asks for one or the server always pages */
            200: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 300 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=300
                     */
                    "Cache-Control": "public, max-age=300" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SaddleArray"] | components["schemas"]["SaddlePage"];
                };
            };
            /** @description Nothing changed since the response with the tag of `If-None-Match` */
            304: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 300 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=300
                     */
                    "Cache-Control": "public, max-age=300" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    describeSaddles: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Metadata"];
            204: components["responses"]["Preflight"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listHandlebars: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
                /** @description Asks for one page of the list, from 1, in an envelope; `last` is a page too. Without it the response is the plain array, or the first page if the server always pages. */
                page?: components["parameters"]["Page"];
                /** @description Records on a page; ignored if the response is the plain array. */
                page_size?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The `ETag` of an earlier response of the same URL; if nothing changed the response is 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description With `handling=strict` (RFC 7240) a list answers 400 to parameters that it would ignore. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list as a plain array, or one page of it where `page` asks for one or the server always pages */
            200: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 300 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=300
                     */
                    "Cache-Control": "public, max-age=300" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HandlebarArray"] | components["schemas"]["HandlebarPage"];
                };
            };
            /** @description Nothing changed since the response with the tag of `If-None-Match` */
            304: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description Fresh for 300 seconds; must be revalidated with `Prefer`
                     * @example public, max-age=300
                     */
                    "Cache-Control": "public, max-age=300" | "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    describeHandlebars: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Metadata"];
            204: components["responses"]["Preflight"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listBikesV2: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
                /** @description The fields to order by, between commas; a leading `-` reverses. Records without a value come last both ways. Without it the order is by ascending `id`. */
                ordering?: ("title" | "-title" | "brand" | "-brand" | "year" | "-year" | "price" | "-price" | "weight_kg" | "-weight_kg" | "rating" | "-rating" | "review_count" | "-review_count" | "view_count" | "-view_count" | "favorites_count" | "-favorites_count" | "date_added" | "-date_added" | "date_updated" | "-date_updated" | "id" | "-id")[];
                /** @description Asks for one page of the list, from 1, in an envelope; `last` is a page too. Without it the response is the plain array, or the first page if the server always pages. */
                page?: components["parameters"]["Page"];
                /** @description Records on a page; ignored if the response is the plain array. */
                page_size?: components["parameters"]["PageSize"];
                /** @description Words, each of which has to occur in `title`, `brand`, `model_name` or `description`, whatever the case. */
                search?: string;
                /** @description Any of these values of `category`, between commas or each in a parameter of its own, whatever the case. */
                category?: string[];
                /** @description Any of these values of `brand`, between commas or each in a parameter of its own, whatever the case. */
                brand?: string[];
                /** @description Any of these values of `bike_type`, between commas or each in a parameter of its own, whatever the case. */
                bike_type?: string[];
                /** @description Any of these values of `frame_material`, between commas or each in a parameter of its own, whatever the case. */
                frame_material?: string[];
                /** @description Any of these values of `colour`, between commas or each in a parameter of its own, whatever the case. */
                colour?: string[];
                /** @description Any of these values of `status`, between commas or each in a parameter of its own, whatever the case. */
                status?: string[];
                /** @description Whether `is_featured` is true. */
                is_featured?: boolean;
                /** @description Whether `is_electronic` is true. */
                is_electronic?: boolean;
                /** @description Any of these values of `brake_type`, between commas or each in a parameter of its own, whatever the case. */
                brake_type?: string[];
                /** @description Any of these values of `wheel_brand`, between commas or each in a parameter of its own, whatever the case. */
                wheel_brand?: string[];
                /** @description Any of these values of `tyre_brand`, between commas or each in a parameter of its own, whatever the case. */
                tyre_brand?: string[];
                /** @description Any of these values of `groupset_brand`, between commas or each in a parameter of its own, whatever the case. */
                groupset_brand?: string[];
                /** @description `year` is equal to this number. */
                year?: number;
                /** @description `year` is at least this number. */
                year__gte?: number;
                /** @description `year` is at most this number. */
                year__lte?: number;
                /** @description `price` is equal to this number. */
                price?: number;
                /** @description `price` is at least this number. */
                price__gte?: number;
                /** @description `price` is at most this number. */
                price__lte?: number;
                /** @description `weight_kg` is equal to this number. */
                weight_kg?: number;
                /** @description `weight_kg` is at least this number. */
                weight_kg__gte?: number;
                /** @description `weight_kg` is at most this number. */
                weight_kg__lte?: number;
                /** @description `rating` is equal to this number. */
                rating?: number;
                /** @description `rating` is at least this number. */
                rating__gte?: number;
                /** @description `rating` is at most this number. */
                rating__lte?: number;
                /** @description `review_count` is equal to this number. */
                review_count?: number;
                /** @description `review_count` is at least this number. */
                review_count__gte?: number;
                /** @description `review_count` is at most this number. */
                review_count__lte?: number;
                /** @description `view_count` is equal to this number. */
                view_count?: number;
                /** @description `view_count` is at least this number. */
                view_count__gte?: number;
                /** @description `view_count` is at most this number. */
                view_count__lte?: number;
                /** @description `favorites_count` is equal to this number. */
                favorites_count?: number;
                /** @description `favorites_count` is at least this number. */
                favorites_count__gte?: number;
                /** @description `favorites_count` is at most this number. */
                favorites_count__lte?: number;
                /** @description `date_added` is equal to this date, or date and time; UTC unless it says otherwise. */
                date_added?: string;
                /** @description `date_added` is at least this date, or date and time; UTC unless it says otherwise. */
                date_added__gte?: string;
                /** @description `date_added` is at most this date, or date and time; UTC unless it says otherwise. */
                date_added__lte?: string;
                /** @description `date_updated` is equal to this date, or date and time; UTC unless it says otherwise. */
                date_updated?: string;
                /** @description `date_updated` is at least this date, or date and time; UTC unless it says otherwise. */
                date_updated__gte?: string;
                /** @description `date_updated` is at most this date, or date and time; UTC unless it says otherwise. */
                date_updated__lte?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier response of the same URL; if nothing changed the response is 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description With `handling=strict` (RFC 7240) a list answers 400 to parameters that it would ignore. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list as a plain array, or one page of it where `page` asks for one or the server always pages */
            200: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description A browser may store the response, but revalidates it before each use
                     * @example private, no-cache
                     */
                    "Cache-Control": "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailedBikeArray"] | components["schemas"]["DetailedBikePage"];
                };
            };
            /** @description Nothing changed since the response with the tag of `If-None-Match` */
            304: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    /**
                     * @description A browser may store the response, but revalidates it before each use
                     * @example private, no-cache
                     */
                    "Cache-Control": "private, no-cache";
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadFilter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    describeBikesV2: {
        parameters: {
            query?: {
                /** @description `json`. Without it the `Accept` header decides; `Accept: application/json; indent=4` writes the JSON on several lines. Pages for people (`api`) are not part of this document. */
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Metadata"];
            204: components["responses"]["Preflight"];
            400: components["responses"]["BadFilter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    readTokenForm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The form */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html; charset=utf-8": string;
                };
            };
            /** @description Any method but `GET`, `HEAD` and `POST` */
            405: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "Cache-Control": components["headers"]["NoStore"];
                    /**
                     * @description The methods of this address
                     * @example GET, HEAD, POST
                     */
                    Allow: "GET, HEAD, POST";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Detail"];
                };
            };
        };
    };
    issueToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description What the token is for, in your own words */
                    label: string;
                };
            };
        };
        responses: {
            /** @description The token */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedToken"];
                };
            };
            /** @description The label is missing or too long */
            400: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FieldErrors"] | components["schemas"]["Detail"];
                };
            };
            /** @description The server has no format that `Accept` accepts */
            406: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Detail"];
                };
            };
            /** @description The form is longer than 4096 bytes */
            413: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Detail"];
                };
            };
            /** @description The body is not a form */
            415: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Detail"];
                };
            };
            /** @description Rate limit exceeded, where the server has one */
            429: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Detail"];
                };
            };
            /** @description An error of the server */
            500: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Detail"];
                };
            };
        };
    };
}
