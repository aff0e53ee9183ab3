/** A way to authenticate, as the agent card describes it. */
export type SecurityScheme =
  | { readonly type: 'bearer'; readonly description: string }
  | { readonly type: 'mutualTls'; readonly description: string }
  | { readonly type: 'openIdConnect'; readonly url: string; readonly description: string };
