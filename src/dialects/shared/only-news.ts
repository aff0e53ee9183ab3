/** What an item is about and what it says of it; undefined when it is always worth telling. */
export type Topic = { readonly about: string; readonly says: string };

/**
 * Lets an item through unless the last one about the same thing said the same. The hub tells more than some dialects
 * have words for, so what differs inside may look alike outside.
 */
export function onlyNews<Item>(topicOf: (item: Item) => Topic | undefined): (item: Item) => boolean {
  const told = new Map<string, string>();
  return (item) => {
    const topic = topicOf(item);
    if (!topic) return true;
    const isNews = told.get(topic.about) !== topic.says;
    told.set(topic.about, topic.says);
    return isNews;
  };
}
