// Worker side. Gives back what it gets: what a round trip costs with nothing done.

addEventListener("message", ({ data }) => postMessage(data));
