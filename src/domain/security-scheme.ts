/** A way to identify oneself, as the agent card tells it. */
export type SecurityScheme =
  | { readonly type: 'bearer'; readonly description: string }
  | { readonly type: 'openIdConnect'; readonly url: string; readonly description: string };
