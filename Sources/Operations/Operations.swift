// Operations
