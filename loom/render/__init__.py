"""From resolved pages to files: HTML, style sheets, cards, feeds and everything else that is deployed."""
